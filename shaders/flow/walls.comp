#version 430
// Update the solid bit of each mass, after the rules that change which cells no water can enter: solids, and in a world
// with rule atoms all atoms. Law: no mass changes; a cell that becomes solid encloses its mass, and frees it when the
// cell is no longer solid. Beside atoms it encloses none: an atom has changed places with the water. The pass works in
// the tiles of rule atoms, a column of a tile an invocation, and notes in the tiles of rule flow what it has changed.
// Twin: oracle.flow.walls.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "generated/tick.glsl"
#include "generated/amounts.glsl" // defines BESIDE_ATOMS in a world with atoms
#include "lib/frame.glsl"
#include "lib/other_tiles.glsl"
#include "lib/tiles.glsl"
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int entry = listed();
    if (entry < 0)
        return;
    ivec2 first = tile_of(uint(entry)) * TILE + ivec2(gl_LocalInvocationID.x, 0), frame = frame_size(size);
    if (first.x >= frame.x)
        return;
    int last_row = min(first.y + TILE.y, frame.y) - 1, highest = frame.y, lowest = -1;
    // All stores are made: on software OpenGL a store that only some lanes make costs ten times one that all make.
    for (int y = first.y; y <= last_row; y++) {
        ivec2 cell = to_world(ivec2(first.x, y), size);
        int texel = load_mass_texel(cell);
#ifdef BESIDE_ATOMS
        bool solid = load_material(cell) != 0u;
#else
        bool solid = STATE_OF[load_material(cell)] == STATE_SOLID;
#endif
        int next = texel_with(amount_of_texel(texel), solid);
        store_mass_texel(cell, next);
        highest = next != texel ? min(highest, y) : highest;
        lowest = next != texel ? y : lowest;
    }
    if (lowest >= 0)
        note_others(ivec2(first.x, highest), ivec2(first.x, lowest), frame);
}
