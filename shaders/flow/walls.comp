#version 430
// Update the solid bit of each mass, after the rules that change walls.
// Law: no mass changes; a cell that becomes solid encloses its mass, and frees it when the cell is no longer solid.
// Twin: oracle.flow.walls.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 first = invocation() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= size.x)
        return;
    for (int y = first.y; y < min(first.y + STRIP_HEIGHT, size.y); y++) {
        ivec2 cell = ivec2(first.x, y);
        int texel = load_mass_texel(cell);
        bool solid = STATE_OF[load_material(cell)] == STATE_SOLID;
        if (solid == is_solid_texel(texel))
            continue;
        store_mass_texel(cell, texel_with(amount_of_texel(texel), solid));
        note_latest(tick);
        note_cell(CHANGED, cell, size, tick);
    }
}
