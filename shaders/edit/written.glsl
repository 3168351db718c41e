// The cells of a brush, and how one is written: it is counted, copied for undo, and stored.
#include "generated/stroke.glsl"
#include "generated/images.glsl"
#include "generated/edit.glsl"
#include "lib/hash.glsl"

uniform bool copies_cells; // whether cells are copied for undo
uniform int first_slot;    // the place in edit[] of the slots of tiles, row by row
uniform ivec2 first_tile;  // (column, row) of the first of these tiles
uniform int tiles_across;
uniform uint moment; // which is kept with the first copy of a cell; not 0

// The part of a run that this invocation works on: (row, first column, column after the last), or an empty one.
ivec3 run_of_invocation()
{
    if (invocation().y >= run_count)
        return ivec3(0);
    int place = first_run + 3 * invocation().y;
    int first = edit[place + 1] + CELLS_EACH * invocation().x;
    return ivec3(edit[place], first, min(first + CELLS_EACH, edit[place + 2]));
}

// Random numbers depend on the position in the whole world.
ivec2 whole_position(ivec2 at) { return at + ivec2(origin_x, origin_y); }

bool is_chosen(ivec2 at) { return all_chosen || pcg4d(uvec4(whole_position(at), choice, CHOSEN)).x < share; }

// The lowest number of a material that was spared. The complement, because the word begins with 0.
void note_spared(uint material) { atomicMax(spared, ~material); }

// Copy a cell for undo: as it was before the edit, once; as the edit leaves it, each time.
void copy_cell(ivec2 at, Cell before, Cell after)
{
    ivec2 tile = at / COPIED_TILE - first_tile, in_tile = at % COPIED_TILE;
    int slot = edit[first_slot + tile.y * tiles_across + tile.x];
    int place = slot * SLOT_WORDS + in_tile.y * COPIED_TILE + in_tile.x;
    if (copies[place] == 0u) {
        copies[place] = moment;
        copy_before(place, before);
    }
    copy_after(place, after);
}

void write_cell(ivec2 at, Cell before, Cell after)
{
    if (written == 0u) // a read is cheaper than a write
        written = 1u;
    count_change(before, after);
    if (copies_cells)
        copy_cell(at, before, after);
    store_cell(at, after);
}
