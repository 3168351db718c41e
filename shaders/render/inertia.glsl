// Draws rule inertia: no colour of its own, as the water is drawn by rule flow. Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "lib/small_float.glsl"
#ifdef WITH_ATOMS
#include "render/atoms.glsl"
#endif
#include "render/flow.glsl"

vec3 draw_inertia(ivec2 cell, vec2 at, vec3 ground) { return ground; }

// The velocity of a cell's water in cells a tick, to the right and down. Twin: rules.inertia.water_velocity.
vec2 velocity_of_water(ivec2 cell)
{
    int units = load_free_mass(cell);
    ivec2 codes = momentum_of(load_motion(cell));
    return units <= MIN_MASS ? vec2(0.0) : vec2(decoded(codes.x), decoded(codes.y)) / float(units);
}

// The speed of the water, or of the atom, in a cell.
float overlay_speed_of_all(ivec2 cell)
{
#ifdef WITH_ATOMS
    if (kind_of(load_material(cell)).state != STATE_EMPTY)
        return overlay_speed(cell);
#endif
    return load_free_mass(cell) <= MIN_MASS ? NOTHING : length(velocity_of_water(cell));
}

// A neighbour's velocity, or the cell's own where the neighbour has no water.
vec2 velocity_beside(ivec2 cell, ivec2 offset)
{
    ivec2 at = inside_world(cell + offset, size);
    bool has_water = !is_outside(cell + offset, size) && load_free_mass(at) > MIN_MASS;
    return velocity_of_water(has_water ? at : cell);
}

// How fast the water turns, above 0 clockwise: of the velocity down, what it gains to the right, less what the velocity
// to the right gains downwards. Twin: rules.inertia.water_vorticity.
float overlay_vorticity(ivec2 cell)
{
    if (load_free_mass(cell) <= MIN_MASS)
        return NOTHING;
    float right = velocity_beside(cell, ivec2(1, 0)).y - velocity_beside(cell, ivec2(-1, 0)).y;
    float down = velocity_beside(cell, ivec2(0, 1)).x - velocity_beside(cell, ivec2(0, -1)).x;
    return (right - down) / 2.0;
}
