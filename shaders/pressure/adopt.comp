#version 430
// Bodies of a mixture, fourth part: what holds too little to connect any, but lies on a body or beside it, is adopted
// by it; and which cells are open surfaces. Law: a cell has one body at most. Twin: oracle.pressure.adopt.
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#define ADOPTS
#include "generated/matter.glsl"

#include "generated/way.glsl"

// The body of a neighbour; 0 of one that is adopted itself, whether it has its label already or not.
uint body_of(ivec2 neighbour)
{
    ivec2 frame = frame_size(size);
    if (is_outside(neighbour, frame) || !is_labelled(neighbour))
        return 0u;
    uint label = label_at(inside_world(neighbour, frame));
    return (label & ADOPTED) == 0u ? label : 0u;
}

// That of the body on which a cell lies, else of the one beside it; of none, where it lies between two.
uint adopter_of(ivec2 at)
{
    uint under = body_of(cell_under(at)), left = body_of(at - ivec2(1, 0)), right = body_of(at + ivec2(1, 0));
    uint beside = left == 0u || left == right ? right : right == 0u ? left : 0u;
    return under != 0u ? under : beside;
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint open = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at);
        uint adopter = label == 0u && is_passable(at) ? adopter_of(at) : 0u;
        if (adopter != 0u)
            imageStore(labels, at, uvec4(adopter | ADOPTED));
        if (label == label_of_place(at))
            begin_next_round(at);
        open |= (label | adopter) != 0u && is_open(at) ? bit_of(at) : 0u;
    }
    imageStore(surfaces, strip_with(first), uvec4(open));
}
