#version 430
// The temperatures of all atoms and their latent heat, summed to the last unit, and the least and the largest of them.
// An invocation goes down a part of a column: what it finds there is within 32 bits. The additions are of integers with
// their carries, so that any order of work ends the same. Twin: gpufluid/world/statistics.py.
#include "generated/cell.glsl"
#include "generated/counts.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= size.x || top >= size.y)
        return;
    int warm = 0;
    int kept = 0;
    int coldest = NO_TEMPERATURE;
    int hottest = -NO_TEMPERATURE;
    for (int y = top; y < min(top + ROWS, size.y); y++) {
        uint material = load_material(ivec2(x, y));
        uint word = load_warmth(ivec2(x, y));
        bool matter = material != 0u;
        int here = temperature_of(word);
        warm += matter ? here : 0;
        coldest = min(coldest, matter ? here : NO_TEMPERATURE);
        hottest = max(hottest, matter ? here : -NO_TEMPERATURE);
        kept += keeps_latent(material) ? int(word) >> SHIFT_AGE : 0;
    }
    if (coldest > hottest)
        return;
    add_to_temperatures(wide(warm));
    add_to_latent(wide(kept));
    // The buffer begins with zeros: of both ends is kept what grows as they go outwards.
    uint cold = uint(NO_TEMPERATURE - coldest);
    uint hot = uint(NO_TEMPERATURE + hottest);
    if (ends[0] < cold) // to look is cheaper than to write
        atomicMax(ends[0], cold);
    if (ends[1] < hot)
        atomicMax(ends[1], hot);
}
