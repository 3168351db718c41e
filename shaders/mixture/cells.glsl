// Cells of a mixture: the amounts of their layers, and places beyond the edges. All places are those of gravity's
// frame. Twin: oracle/mixture.py.
#include "generated/cell.glsl"
#include "generated/mixture.glsl"
#include "generated/tick.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

const int LAYERS = LAYER_MATERIAL.length();
const uint CERTAIN = 1u << 31; // a chance of 1

// The columns and rows of gravity's frame.
ivec2 extent() { return frame_size(size); }

// The texel of a layer in a cell: the amount in units, and the mark of a solid cell; and the amount that can flow.
int texel_at(ivec2 at, int layer) { return load_mixture_texel(to_world(at, size), layer); }
int free_at(ivec2 at, int layer) { return free_of_texel(texel_at(at, layer)); }

// A cell, or a place beyond an edge.
struct Place {
    ivec2 cell; // always in the world; see inside_world
    bool inside;
};

// Wrap a coordinate at most one cell outside a ring; `wrapped` takes more instructions.
int wrapped_once(int coordinate, int size)
{
    return coordinate + (coordinate < 0 ? size : 0) - (coordinate >= size ? size : 0);
}

// `at` is at most one column and one row outside the world.
Place place_of(ivec2 at)
{
    ivec2 frame = extent();
    ivec2 wrapped = ivec2(wrapped_once(at.x, frame.x), wrapped_once(at.y, frame.y));
    return Place(EDGES == EDGES_WRAP ? wrapped : inside_world(at, frame), !is_outside(at, frame));
}

// The texel of a layer at a place, which may be outside: the amount in units, and whether the place is solid.
int texel_of(Place place, int layer)
{
    int texel = texel_at(place.cell, layer);
    return place.inside ? texel : TEXEL_OUTSIDE;
}

// The room of a place for all materials together, if they exclude each other; else FULL.
int room_of_all(Place place)
{
    int room = FULL;
    if (EXCLUSIVE == 0 || !place.inside)
        return FULL;
    for (int layer = 0; layer < LAYERS; layer++)
        room -= amount_of_texel(texel_at(place.cell, layer));
    return room;
}

// A statement for each layer, with the layer's number as a constant. So the compiler knows the entries of the tables
// and removes their branches, of which software OpenGL would run both sides.
#define EACH_OF_EIGHT(COUNT, FIRST_ONE, WORK)                                                                          \
    if (COUNT > FIRST_ONE)                                                                                             \
        WORK(FIRST_ONE);                                                                                               \
    if (COUNT > FIRST_ONE + 1)                                                                                         \
        WORK(FIRST_ONE + 1);                                                                                           \
    if (COUNT > FIRST_ONE + 2)                                                                                         \
        WORK(FIRST_ONE + 2);                                                                                           \
    if (COUNT > FIRST_ONE + 3)                                                                                         \
        WORK(FIRST_ONE + 3);                                                                                           \
    if (COUNT > FIRST_ONE + 4)                                                                                         \
        WORK(FIRST_ONE + 4);                                                                                           \
    if (COUNT > FIRST_ONE + 5)                                                                                         \
        WORK(FIRST_ONE + 5);                                                                                           \
    if (COUNT > FIRST_ONE + 6)                                                                                         \
        WORK(FIRST_ONE + 6);                                                                                           \
    if (COUNT > FIRST_ONE + 7)                                                                                         \
    WORK(FIRST_ONE + 7)
#define EACH_LAYER(WORK) EACH_OF_EIGHT(LAYERS, 0, WORK)
