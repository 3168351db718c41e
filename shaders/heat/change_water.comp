#version 430
// Let water by mass boil and freeze. Law: each 2x2 block (Margolus neighbourhood) is changed by the invocation that
// owns it, cell by cell, from the near column to the far one; a coin says which column is near. A cell that is ready
// becomes an atom of a full cell of mass. What it lacks of this comes from the water of the other cells with its share
// of heat, what is left goes to one of the other cells, with all heat that the atom does not need; else nothing
// happens. No mass and no heat is made or lost: the mass used, the atoms made, and the latent heat bound are counted.
// Twin: oracle.heat.change_water.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/packed.glsl"
#include "lib/heat_shares.glsl"
#include "heat/water_changes.glsl"
#include "heat/waking.glsl"

#include "generated/layout.glsl"

const uint OUTSIDE_WORLD = uint(STATE_OF.length()); // the material of cells outside the world

// The cell at a place. In a cell of water the word is that of an empty cell.
PackedAtom stored_at(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    return PackedAtom(is_outside(at, frame) ? OUTSIDE_WORLD : load_cells(cell), load_carried(cell));
}

int mass_of(PackedAtom cell) { return is_empty(cell) ? cell.carried.mass : 0; }

bool is_ready(WaterChange change, PackedAtom cell)
{
    return is_empty(cell) && is_ready(change, int(cell.carried.warmth), cell.carried.mass);
}

// Move what a cell gives of a wanted mass out of it, with its share of heat. Returns (mass, heat).
ivec2 drawn_from(inout PackedAtom cell, int wanted)
{
    int mass = mass_of(cell), part = min(mass, wanted);
    int heat = part > 0 ? heat_along(int(cell.carried.warmth), mass, part) : 0;
    cell.carried.mass -= part;
    cell.carried.warmth -= uint(heat);
    return ivec2(part, heat);
}

// Add mass and heat to a cell if it has room for both. Returns whether it has.
bool give(inout PackedAtom cell, ivec2 amount)
{
    int heat = int(cell.carried.warmth);
    bool has_room =
        is_empty(cell) && cell.carried.mass <= MASS_LIMIT - amount.x && abs(heat + amount.y) <= WATER_HEAT_LIMIT;
    cell.carried.mass += has_room ? amount.x : 0;
    cell.carried.warmth += uint(has_room ? amount.y : 0);
    return has_room;
}

// Let the water of a cell boil or freeze, if it is ready and the other cells of the block, in this order, have what it
// lacks, or take what is left. Counts that if the world computes the cell. Returns whether it has become an atom.
bool change_cell(inout PackedAtom own, inout PackedAtom beside, inout PackedAtom along, inout PackedAtom across,
                 uint grain, bool is_counted)
{
    bool boils = is_ready(BOILING, own);
    if (!boils && !is_ready(FREEZING, own))
        return false;
    WaterChange change = BOILING;
    if (!boils)
        change = FREEZING;
    PackedAtom first = beside, second = along, third = across;
    ivec2 held = ivec2(own.carried.mass, int(own.carried.warmth));
    held += drawn_from(first, max(FULL - held.x, 0));
    held += drawn_from(second, max(FULL - held.x, 0));
    held += drawn_from(third, max(FULL - held.x, 0));
    int latent = change.side * change.latent;
    int surplus = held.y - (change.threshold + latent - AMBIENT) * WATER_HEAT_ONE; // of the heat of an atom
    if (held.x < FULL || change.side * surplus < 0)
        return false;
    int rest = held.x - FULL, warmer = 0;
    if (rest == 0) {
        int units = change.side * (change.side * surplus >> 10);
        warmer = clamp(change.threshold + units, TEMPERATURE_LEAST, TEMPERATURE_MOST) - change.threshold;
        if (is_counted)
            count_air_water_heat(warmer * WATER_HEAT_ONE - surplus); // less than a unit, but at the ends of the scale
    } else if (!give(first, ivec2(rest, surplus)) && !give(second, ivec2(rest, surplus)) &&
               !give(third, ivec2(rest, surplus)))
        return false;
    int temperature = change.threshold + warmer;
    if (is_counted) {
        count_bound_heat(latent);
        count_water_heat(-temperature - latent);
        count_atoms_water_heat((AMBIENT - temperature - latent) * WATER_HEAT_ONE);
        count_used(uvec2(FULL, 0), tick);
        count_made_atom(uint(change.product), tick);
    }
    beside = first;
    along = second;
    across = third;
    own.word = cell_word(uint(change.product), ivec2(0), grain);
    own.carried.mass = 0;
    own.carried.warmth = warmth_word(temperature, 0u, 0u);
    return true;
}

// Store a cell of a block, and note that conduct must copy it to the other texture.
void store_changed(ivec2 at, PackedAtom before, PackedAtom after)
{
    if (is_empty(before) && !is_empty(after))
        begin_trace(after.carried, to_world(inside_world(at, frame_size(size)), size));
    put_packed(at, after);
    note_warm(at);
}

void change_block(ivec2 at)
{
    uvec4 words = noise_of_block(at, uint(USE_CHANGE_WATER)), grains = words.yyyy >> uvec4(0, 8, 16, 24) & 0xFFu;
    int near = int(words.x >> 31);
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    PackedAtom a = stored_at(left), b = stored_at(right), c = stored_at(left + down), d = stored_at(right + down);
    PackedAtom was_a = a, was_b = b, was_c = c, was_d = d;
    bool changed = change_cell(a, b, c, d, grains.x, is_own(left));
    changed = change_cell(b, a, d, c, grains.y, is_own(right)) || changed;
    changed = change_cell(c, d, a, b, grains.z, is_own(left + down)) || changed;
    changed = change_cell(d, c, b, a, grains.w, is_own(right + down)) || changed;
    if (!changed)
        return;
    store_changed(left, was_a, a);
    store_changed(right, was_b, b);
    store_changed(left + down, was_c, c);
    store_changed(right + down, was_d, d);
    if (is_own_block(at))
        mark_active(tick);
    note_changes(CHANGED, at - ivec2(0, MARGIN), at, at + ivec2(0, 1 + MARGIN), ivec2(MARGIN + 1, 0));
}

// Test if a cell of the world is ready, and note it: it may have to wait for other cells.
bool is_ready_at(ivec2 at)
{
    PackedAtom cell = stored_at(at);
    bool found = is_ready(BOILING, cell) || is_ready(FREEZING, cell);
    if (found)
        note_ready(inside_world(at, frame_size(size)));
    return found;
}

// The first loop finds the blocks with water that is ready; few have any. See reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), at = 2 * owned_block();
    ivec2 offset = partition_offset(at, world_tick(at), uint(USE_WATER_BLOCKS)), first = at - offset;
    if (!is_block(first, frame))
        return;
    uint ready = 0u;
    for (int row = 0; row < ROWS_OF_BLOCKS; row++) {
        ivec2 block = first + ivec2(0, 2 * row);
        bool found = is_ready_at(block);
        found = is_ready_at(block + ivec2(1, 0)) || found;
        found = is_ready_at(block + ivec2(0, 1)) || found;
        found = is_ready_at(block + 1) || found;
        ready |= is_block(block, frame) && found ? 1u << row : 0u;
    }
    while (ready != 0u) {
        int row = findLSB(ready);
        ready &= ready - 1u;
        change_block(first + ivec2(0, 2 * row));
    }
}
