// The surroundings of the cell that is drawn, from the survey of the air.
#include "render/air/texels.glsl"

Around around = NOTHING_AROUND; // of the cell at which look_around has looked last

#ifdef WITH_AIR
uniform ivec2 air_first; // the first texel of the image, among those of the whole world
uniform ivec2 air_size;  // texels of the image that are used

// The place of a cell between the centres of four texels: the first of them, and the weights of the second column and
// row.
struct Corner {
    ivec2 first;
    vec2 part;
};

Corner corner_at(ivec2 cell)
{
    vec2 at = (vec2(cell) + 0.5) / float(AIR_CELLS) - 0.5 - vec2(air_first);
    return Corner(ivec2(floor(at)), fract(at));
}

ivec2 texel_at(Corner corner, int place)
{
    return clamp(corner.first + ivec2(place & 1, place >> 1), ivec2(0), air_size - 1);
}

float weight_at(Corner corner, int place)
{
    vec2 weights = mix(1.0 - corner.part, corner.part, vec2(place & 1, place >> 1));
    return weights.x * weights.y;
}

const uint ALL_SOLID = 15u;

ivec2 beside_first = ivec2(0);         // the first of the 4x4 cells in the squares of the four texels
uint beside_cells[2] = uint[](0u, 0u); // a bit for each of them, row by row: it is solid; it is empty

void look_around(ivec2 cell)
{
    Corner corner = corner_at(cell);
    around = NOTHING_AROUND;
    beside_first = (corner.first + air_first) * AIR_CELLS;
    beside_cells = uint[](0u, 0u);
    float open = 1e-4; // sum of the weights of texels that are not all solid: beside a wall a cloud is no thinner
    for (int place = 0; place < 4; place++) {
        Around there = around_of_texel(load_around(texel_at(corner, place)));
        float weight = weight_at(corner, place);
        around.depth += weight * there.depth;
        weight = (there.cells & ALL_SOLID) == ALL_SOLID ? 0.0 : weight;
        around.cloud += weight * there.cloud;
        around.flame += weight * there.flame;
        open += weight;
        int bit = (place >> 1) * 8 + (place & 1) * 2;
        for (int kind = 0; kind < 2; kind++) {
            uint cells = there.cells >> (uint(kind) * FIRST_EMPTY);
            beside_cells[kind] |= (cells & 3u) << bit | (cells >> 2 & 3u) << (bit + 4);
        }
    }
    around.cloud /= open;
    around.flame /= open;
}

// Test a cell beside the one that is drawn, in the world: if it is solid (kind 0), or if it is empty (kind 1).
bool is_beside(ivec2 other, int kind)
{
    ivec2 at = other - beside_first;
    return (beside_cells[kind] >> (at.y * 4 + at.x) & 1u) != 0u;
}

#ifdef NIGHT
Lamp lamp_around(ivec2 cell)
{
    Corner corner = corner_at(cell);
    Lamp lamp = Lamp(vec3(0.0), 0.0, 0.0);
    for (int place = 0; place < 4; place++) {
        Lamp there = lamp_of_texel(load_lamps(texel_at(corner, place)));
        float weight = weight_at(corner, place);
        lamp.light += weight * there.light;
        lamp.moon += weight * there.moon;
        lamp.halo += weight * there.halo;
    }
    return lamp;
}
#endif
#else
void look_around(ivec2 cell) { }
#endif
