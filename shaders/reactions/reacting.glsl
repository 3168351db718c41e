// Reactions of atoms, shared by react and decay: read the table, draw the record that acts, and change the atoms. The
// parts of an entry and of a record are declared in gpufluid/rules/reactions.py. Twin: oracle/reactions.py.
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "generated/reactions.glsl"
#include "atoms/packed.glsl"
#include "heat/measures.glsl"
#include "heat/waking.glsl"

const uint NUMBERS = uint(STATE_OF.length()); // of materials; as a material number: outside the world

// The material number of a word; NUMBERS for water by mass, which has no reactions.
uint kind_of(uint word) { return min(material_of(word), NUMBERS); }

int temperature_of(PackedAtom atom) { return is_empty(atom) ? TEMPERATURE_LEAST : temperature_of(atom.carried.warmth); }

uint entry_of(uint first, uint column) { return load_entries(ivec2(column, first)); }
uvec4 record_at(int place) { return load_records(ivec2(place % RECORD_ROW, place / RECORD_ROW)); }

// Test if an age is the number of a material: an atom that records a material stores its number as its age.
bool is_kind(uint age) { return age != 0u && age < NUMBERS; }

bool is_reactive = false; // an atom has reacted, or could react with another draw or at a later time

// Draw the record that acts, from the chain of records that begins at a place; zeros if none acts. The chances of the
// records that fit are parts of one draw of 65536.
uvec4 drawn_record(int place, int heat, uint first_age, uint second_age, int draw)
{
    uvec4 chosen = uvec4(0u);
    bool more = true;
    while (more) {
        uvec4 record = record_at(place);
        bool noted = (first_notes_in(record.z) == 0 || first_age == 0u) &&
            (second_notes_in(record.z) == 0 || second_age == 0u) &&
            (first_copies_in(record.z) == 0 || is_kind(second_age)) &&
            (second_copies_in(record.z) == 0 || is_kind(first_age));
        bool fits = noted && heat >= least_in(record.y) && heat < below_in(record.y) &&
            int(first_age) >= least_age_in(record.w);
        int chance = fits ? chance_in(record.z) : 0;
        is_reactive = is_reactive || chance > 0;
        chosen = draw >= 0 && draw < chance ? record : chosen;
        draw -= chance; // below 0 no further record acts
        more = more_in(record.z) != 0;
        place++;
    }
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

// Let two neighbouring atoms react, if a record acts. Returns the push, in 1/16 cell a tick.
int react_pair(inout PackedAtom first, inout PackedAtom second, int draw, uvec2 grains)
{
    uint a = kind_of(first.word), b = kind_of(second.word);
    int place = place_in(entry_of(a, b));
    uint first_age = age_of(first.carried.warmth), second_age = age_of(second.carried.warmth);
    uvec4 record = drawn_record(place, max(temperature_of(first), temperature_of(second)), first_age, second_age, draw);
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
    }
    return push_in(record.z);
}

// The material number at a place; NUMBERS outside the world.
uint material_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    uint word = word_at(to_world(inside_world(at, frame), size));
    return is_outside(at, frame) ? NUMBERS : kind_of(word);
}

int reacted = 0; // units of heat that reactions have made, minus those that they have used up

// Store an atom after a reaction. If the cell is empty now, the fields that the atom carried are cleared; if the cell
// was empty, the trace of the new atom begins in it.
void put_changed(ivec2 at, PackedAtom before, PackedAtom after)
{
    if (!is_empty(before) && is_empty(after))
        forget_carried(after.carried);
    if (is_empty(before) && !is_empty(after))
        begin_trace(after.carried, to_world(inside_world(at, frame_size(size)), size));
    put_packed(at, after);
}

// Count the atoms made and used up in a cell, and their heat. Returns whether the cell's word has changed.
bool counted(ivec2 at, PackedAtom before, PackedAtom after)
{
    uint was = material_of(before.word), now = material_of(after.word);
    if (was != now) {
        if (was != 0u)
            count_used_atom(was, tick);
        if (now != 0u)
            count_made_atom(now, tick);
        if (now == 0u && was < NUMBERS)
            count_carried_used(was, before.carried);
    }
    if (was < NUMBERS) // inside the world
        reacted += heat_held(now, after.carried.warmth) - heat_held(was, before.carried.warmth);
    if (after.carried.warmth !=
        before.carried.warmth) // also by age alone: conduct must copy the word to the other texture
        note_warm(at);
    return before.word != after.word;
}

// Set a tile flag for the tile of a place if an atom is reactive, and count the heat of reactions.
void note_outcome(int layer, ivec2 place)
{
    if (is_reactive) {
        mark_active(tick);
        note_latest(tick);
        note_cell(layer, place, frame_size(size), tick);
    }
    if (reacted != 0)
        count_reacted_heat(reacted);
}
