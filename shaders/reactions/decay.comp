#version 430
// Reactions of single atoms: each atom ages, and becomes another material with the chance, at the age and at the
// temperature that the table of reactions gives. Law: no cell reads another; atoms made and used up are counted.
// Twin: oracle.reactions.decay.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "reactions/reacting.glsl"

#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void decay_at(ivec2 at)
{
    PackedAtom before = packed_at(at, NUMBERS), atom = before;
    uint entry = entry_of(material_of(atom.word), NUMBERS + uint(ALONE));
    uvec4 words = noise(at, uint(USE_DECAY));
    bool ages = ages_in(entry) != 0 && (world_tick(at) & ((1u << uint(stride_in(entry))) - 1u)) == 0u;
    uint age = min(age_of(atom.carried.warmth) + (ages ? 1u : 0u), 255u);
    is_reactive = is_reactive || (ages_in(entry) != 0 && age < 255u);
    int number;
    uvec4 record =
        drawn_record(place_in(entry), 0, temperature_of(atom), age, 0u, ivec2(0), 0, int(words.x >> 16), number);
    atom.carried.warmth = (atom.carried.warmth & ~MASK_AGE) | age << SHIFT_AGE;
    int wear = first_wear_in(record.x);
    uint material = uint(first_in(record.x));
    bool acts = chance_in(record.z) > 0;
    bool goes = acts && material != uint(STAYS) && (wear == 0 || left_of(atom, wear) <= 0);
    Change change = Change(goes, material, first_keeps_in(record.z) != 0, false, wear, heat_in(record.w));
    if (acts)
        atom = changed_atom(atom, atom, change, words.y & 0xFFu);
    add_event(is_own(at));
    put_changed(at, before, atom);
    if (counted(at, before, atom))
        note_change(CHANGED, at);
}

// Two loops; see react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = unit() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uint changing = 0u;
    for (int row = 0; row < STRIP_HEIGHT; row++) {
        ivec2 at = first + ivec2(0, row);
        bool may = entry_of(entry_row_around(at), NUMBERS + uint(ALONE)) != 0u;
        changing |= at.y < frame.y && may ? 1u << row : 0u;
    }
    if (changing != 0u)
        do {
            int row = findLSB(changing);
            changing &= changing - 1u;
            decay_at(first + ivec2(0, row));
        } while (changing != 0u);
    note_outcome(CHANGING, first);
}
