#version 430
// Bodies of a mixture, fourth part: a cell that holds too little to be connected gets the label of the body on which it
// lies, or else of the body beside it; that body adopts the cell. Then find the open surfaces of each strip. Law: a
// cell belongs to at most one body. Twin: oracle.pressure.adopt.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "lib/domain.glsl"
#include "pressure/labelled.glsl"
#define ADOPTS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// The body of a cell by its label; 0 if the cell is adopted.
uint body_of(uint label) { return (label & ADOPTED) == 0u ? label : 0u; }

// Test if a place lies in the world and has been labelled in this tick.
bool is_known(ivec2 at) { return !is_outside(at, frame_size(size)) && is_labelled(at); }

// The body that adopts a cell: the one below it, else the one beside it; none if two different bodies lie beside it.
uint adopter_of(uint under, uint left, uint right)
{
    uint beside = left == 0u || left == right ? right : right == 0u ? left : 0u;
    return under != 0u ? under : beside;
}

uint body_at_known(bool known, ivec2 at) { return known ? body_of(label_at(inside_world(at, frame_size(size)))) : 0u; }

// Each cell is read once, from the side to which surfaces are open. Stores are in separate loops; see
// reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y), onward = OPEN_TOWARD[layer];
    int begin = onward > 0 ? first.y : first.y + rows - 1, end = begin + onward * (rows - 1);
    ivec2 left = first - ivec2(1, 0), right = first + ivec2(1, 0);
    bool knows_left = is_known(left), knows_right = is_known(right);
    bool knows_under = is_known(ivec2(first.x, end + onward));
    int column_left = inside_world(left, frame).x, column_right = inside_world(right, frame).x;
    int over = texel_over(ivec2(first.x, begin));
    uint label = label_at(ivec2(first.x, begin)), open = 0u, adopted = 0u, firsts = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = ivec2(first.x, begin + onward * row);
        int texel = texel_at(at);
        uint under = body_at_known(knows_under || row + 1 < rows, at + ivec2(0, onward));
        uint to_left = knows_left ? body_of(label_at(ivec2(column_left, at.y))) : 0u;
        uint to_right = knows_right ? body_of(label_at(ivec2(column_right, at.y))) : 0u;
        bool adopts = label == 0u && !is_solid_texel(texel) && adopter_of(under, to_left, to_right) != 0u;
        adopted |= adopts ? bit_of(at) : 0u;
        firsts |= label == label_of_place(at) ? bit_of(at) : 0u;
        open |= (label != 0u || adopts) && is_open_below(over) ? bit_of(at) : 0u;
        over = texel;
        label = under;
    }
    for (; adopted != 0u; adopted &= adopted - 1u) {
        ivec2 at = first + ivec2(0, findLSB(adopted));
        uint under = body_at_known(knows_under || at.y != end, at + ivec2(0, onward));
        uint to_left = body_at_known(knows_left, at - ivec2(1, 0));
        uint to_right = body_at_known(knows_right, at + ivec2(1, 0));
        store_labels(at, adopter_of(under, to_left, to_right) | ADOPTED);
    }
    for (; firsts != 0u; firsts &= firsts - 1u)
        begin_next_round(first + ivec2(0, findLSB(firsts)));
    store_surfaces(strip_with(first), open & own_bits(first)); // a part moves own cells only
}
