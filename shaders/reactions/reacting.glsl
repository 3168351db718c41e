// Reactions of atoms, shared by react and decay: read the table, draw the record that acts, and change the atoms. The
// parts of an entry and of a record are declared in gpufluid/rules/reactions.py. Twin: oracle/reactions.py.
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "generated/reactions.glsl"
#include "atoms/packed.glsl"
#include "lib/heat_shares.glsl"
#include "heat/measures.glsl"
#include "heat/waking.glsl"

const uint NUMBERS = uint(STATE_OF.length()); // of materials; as a material number: outside the world

// In a world with water by mass a cell with such water is a cell without an atom, with a row of its own. A cell with a
// part of a mixture has the same row, which then has no reactions.
const uint WATER_ROW = NUMBERS + 1u;
#if defined(SEES_AMOUNTS) && !defined(OF_MIXTURE)
#define WATER_REACTS
int water_of(PackedAtom atom) { return atom.carried.mass; }
#else
int water_of(PackedAtom atom) { return 0; }
#endif

// The row, or column, of a cell in the table of entries: its material, or WATER_ROW; NUMBERS outside the world.
uint entry_row_of(PackedAtom atom)
{
#ifdef SEES_AMOUNTS
    return is_empty(atom) && has_amounts(atom.carried) ? WATER_ROW : material_of(atom.word);
#else
    return material_of(atom.word);
#endif
}

int temperature_of(PackedAtom atom) { return is_empty(atom) ? TEMPERATURE_LEAST : temperature_of(atom.carried.warmth); }

uint entry_of(uint first, uint column) { return load_entries(ivec2(column, first)); }
uvec4 record_at(int place) { return load_records(ivec2(place % RECORD_ROW, place / RECORD_ROW)); }

// Test if an age is the number of a material: an atom that records a material stores its number as its age.
bool records_material(uint age) { return age != 0u && age < NUMBERS; }

// The mass that two cells have left if a record makes atoms in them: it goes to another cell.
ivec2 rest_of(uvec4 record, ivec2 water, ivec2 more)
{
    return ivec2(first_in(record.x) != STAYS && water.x > 0 ? water.x + more.x : 0,
                 second_in(record.x) != STAYS && water.y > 0 ? water.y + more.y : 0);
}

// Test if the water in two cells is enough for a record, and if what it makes, or what is left, has room. Other cells
// have `room` for what is left.
bool has_water(uvec4 atoms, int place, ivec2 water, int room)
{
#ifdef WATER_REACTS
    uvec4 record = load_records(ivec2(place % RECORD_ROW + RECORD_ROW, place / RECORD_ROW));
    int first_more = first_water_in(record.x), second_more = second_water_in(record.y);
    return water.x >= first_least_water_in(record.z) && water.y >= second_least_water_in(record.w) &&
        (first_more <= 0 || water.x + first_more <= FULL) && (second_more <= 0 || water.y + second_more <= FULL) &&
        all(lessThanEqual(rest_of(atoms, water, ivec2(first_more, second_more)), ivec2(room)));
#else
    return true;
#endif
}

// Events in the cells that an invocation works on: an atom has reacted, or could react with another draw or at a later
// time. The first is for one atom or block, the second for all, the third for all that the world computes.
bool is_reactive = false;
bool any_reactive = false;
bool is_active = false;

// Add what has been found in one atom or block; `own` is true if the world computes it.
void add_event(bool own)
{
    any_reactive = any_reactive || is_reactive;
    is_active = is_active || (is_reactive && own);
    is_reactive = false;
}

// Draw the record that acts, from the chain of records that begins at a place; zeros if none acts. The chances of the
// records that fit are parts of one draw of 65536. `placing` is the place of the two: 1, the first lies over the
// second; 2, side by side. `water` is the water by mass in both cells, `room` as in `has_water`. `number` is set to
// that of the record.
uvec4 drawn_record(int place, int placing, int heat, uint first_age, uint second_age, ivec2 water, int room, int draw,
                   out int number)
{
    uvec4 chosen = uvec4(0u);
    number = 0;
    bool more;
    do {
        uvec4 record = record_at(place);
        bool noted = (first_notes_in(record.z) == 0 || first_age == 0u) &&
            (second_notes_in(record.z) == 0 || second_age == 0u) &&
            (first_copies_in(record.z) == 0 || records_material(second_age)) &&
            (second_copies_in(record.z) == 0 || records_material(first_age));
        int wanted = placing_in(record.w);
        bool fits = noted && heat >= least_in(record.y) && heat < below_in(record.y) &&
            int(first_age) >= least_age_in(record.w) && (wanted == 0 || wanted == placing) &&
            has_water(record, place, water, room);
        int chance = fits ? chance_in(record.z) : 0;
        is_reactive = is_reactive || chance > 0;
        chosen = draw >= 0 && draw < chance ? record : chosen;
        number = draw >= 0 && draw < chance ? place : number;
        draw -= chance; // below 0 no further record acts
        more = more_in(record.z) != 0;
        place++;
    } while (more);
    return chosen;
}

// The parts of an atom that are left after a loss of `wear`; 0 or less: none.
int left_of(PackedAtom atom, int wear) { return int((integrity_of(atom.carried.warmth) + 255u) & 255u) + 1 - wear; }

// The change of an atom in a reaction.
struct Change {
    bool becomes; // the atom becomes `material`
    uint material;
    bool keeps; // it keeps its velocity
    bool notes; // it records the other atom's material as its age
    int wear;
    int heat;
};

PackedAtom changed_atom(PackedAtom atom, PackedAtom other, Change change, uint grain)
{
    bool new = change.becomes&& change.material != material_of(atom.word);
    uint velocity = change.keeps ? atom.word & MASK_VELOCITY : 0u;
    uint word = change.material == 0u ? 0u : change.material | velocity | grain << SHIFT_GRAIN;
    int heat =
        (is_empty(atom) ? temperature_of(other.carried.warmth) : temperature_of(atom.carried.warmth)) + change.heat;
    uint integrity = new ? 0u : uint(max(left_of(atom, change.wear), 1)) & 255u; // wear alone removes no atom
    uint age = new ? 0u : change.notes ? material_of(other.word) : age_of(atom.carried.warmth);
    atom.word = new ? word : atom.word;
    uint warmth = warmth_word(clamp(heat, TEMPERATURE_LEAST, TEMPERATURE_MOST), integrity, age);
    atom.carried.warmth = is_empty(atom) ? 0u : warmth;
    return atom;
}

// Test if a cell holds an atom after a change.
bool is_there(PackedAtom atom, Change change)
{
    return (change.becomes ? change.material : material_of(atom.word)) != 0u;
}

ivec2 water_reacted = ivec2(0); // units of mass that reactions have used up, and made

// The heat of the water by mass in a cell. It is in the same word as that of an atom.
int water_heat_of(PackedAtom atom)
{
#ifdef HAS_WATER_HEAT
    return is_empty(atom) ? int(atom.carried.warmth) : 0;
#else
    return 0;
#endif
}

// The word of an atom's warmth; 0 in a cell without an atom.
uint without_water_heat(PackedAtom atom)
{
#ifdef HAS_WATER_HEAT
    return is_empty(atom) ? 0u : atom.carried.warmth;
#else
    return atom.carried.warmth;
#endif
}

#ifdef WATER_REACTS
// The mass for which a cell has room; 0 with an atom, and outside the world.
int room_in(PackedAtom atom) { return is_empty(atom) ? MASS_LIMIT - water_of(atom) : 0; }

// The part of some heat that the water of a cell can take; the rest is counted as used up.
int heat_that_fits(PackedAtom atom, int heat)
{
    int room = WATER_HEAT_LIMIT - abs(water_heat_of(atom));
    return clamp(heat, -room, room);
}

// Change the water of a cell after a reaction. What a new atom leaves goes to the cell `near` it if this has room, else
// to the cell `far`. Water that is used up takes its share of the heat along, and new water is as warm as the air.
// `heat` is that of the cell's water before the reaction; `own` a mask, -1 if the world computes the cell.
void change_water(inout PackedAtom atom, inout PackedAtom near, inout PackedAtom far, int units, int heat, int own)
{
    water_reacted += ivec2(max(-units, 0), max(units, 0)) & own;
    int kept = units < 0 ? heat - heat_along(heat, water_of(atom), -units) : heat;
    atom.carried.mass += units;
    int rest = is_empty(atom) ? 0 : water_of(atom);
    atom.carried.mass -= rest;
    bool is_near = rest <= room_in(near);
    near.carried.mass += is_near ? rest : 0;
    far.carried.mass += is_near ? 0 : rest;
    bool stays = is_empty(atom);
    atom.carried.warmth = stays ? uint(kept) : atom.carried.warmth;
    near.carried.warmth += uint(!stays && is_near ? heat_that_fits(near, kept) : 0);
    far.carried.warmth += uint(!stays && !is_near ? heat_that_fits(far, kept) : 0);
}
#endif

// Let two neighbouring atoms react, if a record acts. `beside_first` and `beside_second` are the cells beside them in
// the block. `placing` is the place of the two, as in `drawn_record`; `own` has a mask for each, -1 if the world
// computes its cell. Returns the push, in 1/16 cell a tick.
int react_pair(inout PackedAtom first, inout PackedAtom second, inout PackedAtom beside_first,
               inout PackedAtom beside_second, int placing, int draw, uvec2 grains, ivec2 own)
{
    int place = place_in(entry_of(entry_row_of(first), entry_row_of(second))), number;
    ivec2 water_heat = ivec2(water_heat_of(first), water_heat_of(second));
    first.carried.warmth = without_water_heat(first);
    second.carried.warmth = without_water_heat(second);
    uint first_age = age_of(first.carried.warmth), second_age = age_of(second.carried.warmth);
    int hotter = max(temperature_of(first), temperature_of(second));
    ivec2 water = ivec2(water_of(first), water_of(second));
    int room = 0;
#ifdef WATER_REACTS
    room = max(room_in(beside_first), room_in(beside_second));
#endif
    uvec4 record = drawn_record(place, placing, hotter, first_age, second_age, water, room, draw, number);
    bool acts = chance_in(record.z) > 0;
    int first_wear = first_wear_in(record.x), second_wear = second_wear_in(record.x);
    bool first_gone = left_of(first, first_wear) <= 0, second_gone = left_of(second, second_wear) <= 0;
    bool wears = first_wear > 0 || second_wear > 0;
    bool first_done = first_wear > 0 ? first_gone : !wears || second_gone;
    bool second_done = second_wear > 0 ? second_gone : !wears || first_gone;
    uint one = first_copies_in(record.z) != 0 ? second_age : uint(first_in(record.x));
    uint two = second_copies_in(record.z) != 0 ? first_age : uint(second_in(record.x));
    Change of_first = Change(acts && first_done && one != uint(STAYS), one, first_keeps_in(record.z) != 0,
                             first_notes_in(record.z) != 0, first_wear, 0);
    Change of_second = Change(acts && second_done && two != uint(STAYS), two, second_keeps_in(record.z) != 0,
                              second_notes_in(record.z) != 0, second_wear, 0);
    int heat = heat_in(record.w);
    int half_heat = is_there(second, of_second) ? heat >> 1 : heat;
    of_first.heat = is_there(first, of_first) ? half_heat : 0;
    of_second.heat = heat - of_first.heat;
    PackedAtom kept = first;
    if (acts) {
        first = changed_atom(first, second, of_first, grains.x);
        second = changed_atom(second, kept, of_second, grains.y);
#ifdef WATER_REACTS
        uvec4 of_water = load_records(ivec2(number % RECORD_ROW + RECORD_ROW, number / RECORD_ROW));
        int of_one = first_done ? first_water_in(of_water.x) : 0;
        int of_other = second_done ? second_water_in(of_water.y) : 0;
        change_water(first, beside_first, beside_second, of_one, water_heat.x, own.x);
        change_water(second, beside_second, beside_first, of_other, water_heat.y, own.y);
#endif
    } else {
        first.carried.warmth += uint(water_heat.x);
        second.carried.warmth += uint(water_heat.y);
    }
    return push_in(record.z);
}

// The row of the cell at a place, see `entry_row_of`.
uint entry_row_around(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    uint row = material_of(load_cells(cell));
#ifdef SEES_AMOUNTS
    row = row == 0u && is_wet(cell) ? WATER_ROW : row;
#endif
    return is_outside(at, frame) ? NUMBERS : row;
}

// The atom at a place; outside the world its material is NUMBERS. In a cell of water the word is that of an empty cell.
PackedAtom reacting_at(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    return PackedAtom(is_outside(at, frame) ? NUMBERS : load_cells(cell), load_carried(cell));
}

int reacted = 0; // units of heat that reactions have made, minus those that they have used up
int water_heat_reacted = 0;

// Count the heat of water that reactions have made, if it is more than `least`.
void count_water_heat_beyond(int least)
{
    if (abs(water_heat_reacted) > least) {
        count_reacted_water_heat(water_heat_reacted);
        water_heat_reacted = 0;
    }
}

// The heat of an atom; 0 in a cell without an atom.
int heat_of(PackedAtom atom)
{
    uint material = material_of(atom.word);
#ifdef HAS_WATER_HEAT
    return material == 0u ? 0 : heat_held(material, atom.carried.warmth);
#else
    return heat_held(material, atom.carried.warmth);
#endif
}

// Store an atom after a reaction. If the cell is empty now, the fields that the atom carried are cleared; if the cell
// was empty, the trace of the new atom begins in it.
void put_changed(ivec2 at, PackedAtom before, PackedAtom after)
{
    uint warmth = after.carried.warmth;
    if (!is_empty(before) && is_empty(after))
        forget_carried(after.carried);
#ifdef HAS_WATER_HEAT
    after.carried.warmth = warmth; // of an empty cell: the heat of its water
#endif
    if (is_empty(before) && !is_empty(after))
        begin_trace(after.carried, to_world(inside_world(at, frame_size(size)), size));
    put_packed(at, after);
}

// Count the atoms made and used up in a cell that the world computes, and their heat. Returns whether the cell's word
// or its mass has changed.
bool counted(ivec2 at, PackedAtom before, PackedAtom after)
{
    uint was = material_of(before.word), now = material_of(after.word);
    bool own = is_own(at);
    if (was != now && own) {
        if (was != 0u)
            count_used_atom(was, tick);
        if (now != 0u)
            count_made_atom(now, tick);
        if (now == 0u && was < NUMBERS)
            count_carried_used(was, before.carried);
    }
    if (was < NUMBERS && own) { // inside the world
        reacted += heat_of(after) - heat_of(before);
        water_heat_reacted += water_heat_of(after) - water_heat_of(before);
        count_water_heat_beyond(1 << 29);
    }
    if (after.carried.warmth !=
        before.carried.warmth) // also by age alone: conduct must copy the word to the other texture
        note_warm(at);
    return before.word != after.word || water_of(before) != water_of(after);
}

// Set a tile flag for the tile of a place if an atom is reactive, and count the heat and the mass of reactions.
void note_outcome(int layer, ivec2 place)
{
    if (is_active)
        mark_active(tick);
    if (any_reactive) {
        note_latest(tick);
        note_cell(layer, place, frame_size(size), tick);
    }
    if (reacted != 0)
        count_reacted_heat(reacted);
    count_water_heat_beyond(0);
    if (water_reacted.x != 0)
        count_used(uvec2(water_reacted.x, 0), tick);
    if (water_reacted.y != 0)
        count_made(uvec2(water_reacted.y, 0), tick);
}
