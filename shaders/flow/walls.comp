#version 430
// Update the solid bit of each mass, after the rules that change which cells no water can enter: solids, and in a world
// with rule atoms all atoms. Law: no mass changes; a cell that becomes solid encloses its mass, and frees it when the
// cell is no longer solid. Beside atoms it encloses none: an atom has changed places with the water.
// Twin: oracle.flow.walls.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "generated/water.glsl" // defines BESIDE_ATOMS in a world with atoms
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
#ifdef BESIDE_ATOMS
        bool solid = load_material(cell) != 0u;
#else
        bool solid = STATE_OF[load_material(cell)] == STATE_SOLID;
#endif
        if (solid == is_solid_texel(texel) && !is_displaced_texel(texel))
            continue;
        store_mass_texel(cell, texel_with(amount_of_texel(texel), solid));
        note_latest(tick);
        note_cell(CHANGED, cell, size, tick);
    }
}
