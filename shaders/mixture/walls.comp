#version 430
// Update the solid bit of each amount, after the rules that change walls.
// Law: no amount changes; a cell that becomes solid encloses its amounts, and frees them when it is no longer solid.
// Twin: oracle.mixture.walls.
#include "generated/materials.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 first = invocation() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= extent().x)
        return;
    for (int row = first.y; row < min(first.y + STRIP_HEIGHT, extent().y); row++) {
        ivec2 at = ivec2(first.x, row), cell = to_world(at, size);
        bool solid = STATE_OF[load_material(cell)] == STATE_SOLID;
        if (solid == load_mixture_is_solid(cell, 0))
            continue;
        for (int layer = 0; layer < LAYERS; layer++)
            store_mixture_texel(cell, layer, texel_with(load_mixture(cell, layer), solid));
        note_change(at);
    }
}
