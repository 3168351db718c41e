#version 430
// What changes by itself: it ages, and with the chance and at the age and heat that the table says becomes another.
// Law: one invocation a cell; what goes and what comes is counted. Twin: oracle.reactions.decay.
#include "generated/images.glsl"
#include "reactions/reacting.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 cell = invocation();
    if (cell.x >= size.x || cell.y >= size.y)
        return;
    ivec2 at = to_frame(cell, size);
    Piece piece = piece_at(at);
    uint entry = entry_of(material_of(piece.word), NUMBERS + 1u);
    uvec4 words = noise(at, tick, seed, uint(USE_DECAY));
    bool ages = ages_in(entry) != 0 && (tick & ((1u << uint(stride_in(entry))) - 1u)) == 0u;
    uint age = min(age_of(piece.warmth) + (ages ? 1u : 0u), 255u);
    could = ages_in(entry) != 0 && age < 255u;
    uvec4 record = drawn_record(place_in(entry), heat_of(piece), age, 0u, int(words.x >> 16));
    piece.warmth = (piece.warmth & ~MASK_AGE) | age << SHIFT_AGE;
    int wear = first_wear_in(record.x);
    uint material = uint(first_in(record.x));
    bool acts = chance_in(record.z) > 0;
    bool goes = acts && material != uint(STAYS) && (wear == 0 || left_of(piece, wear) <= 0);
    Change change = Change(goes, material, first_keeps_in(record.z) != 0, false, wear, heat_in(record.w));
    if (acts)
        piece = changed_piece(piece, piece, change, words.y & 0xFFu);
    put_piece(at, piece);
    if (could)
        note_stir(tick);
    if (counted(piece))
        note_change(CHANGED, at);
}
