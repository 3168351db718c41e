// What the passes of rule mixture know of cells: what they hold, layer by layer, and what lies outside.
#include "generated/cell.glsl"
#include "generated/mixture.glsl"
#include "generated/tick.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"

const int LAYERS = LAYER_MATERIAL.length();
const uint CERTAIN = 1u << 31; // a chance of 1

// A cell, or a place beyond an edge.
struct Place {
    ivec2 cell; // in the world
    bool inside;
};

Place place_of(ivec2 cell) { return Place(inside_world(cell, size), !is_outside(cell, size)); }

ivec2 texel_of(ivec2 cell, int layer) { return ivec2(cell.x, cell.y + layer * size.y); }

// The texel of a layer: units, with SOLID_BIT of what lets nothing in. Beyond an open edge there is nothing, and always
// room.
int held(Place place, int layer)
{
    int units = load_mixture(place.cell, layer);
    return place.inside ? units : (EDGES == EDGES_OPEN ? 0 : SOLID_BIT);
}

// What a place has room for of all materials together, where they exclude each other; else more than enough.
int room_of_all(Place place)
{
    int room = FULL;
    if (EXCLUSIVE == 0 || !place.inside)
        return FULL;
    for (int layer = 0; layer < LAYERS; layer++)
        room -= amount_in(held(place, layer)); // the solid bit is no amount
    return room;
}

// A statement for each layer, each with its number as a constant: what the tables say of it is then known to the
// compiler, and software OpenGL, which runs all lanes through both sides of every branch, has none to run through.
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
