// The contribution of a cell to the air around it. Gases of every rule are drawn from this, not by their rule.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "render/air/texels.glsl"
#include "render/glow_of_cell.glsl"

const float OLD_THINNER = 0.7; // transparency of the oldest gas

// Add an amount of a material, in cells, with its glow.
void add_material(uint number, float amount, float glow, inout Air air)
{
    int state = kind_of(number).state;
    vec2 light = vec2(1.0, glow) * amount * light_of_glow(glow);
    if (state == STATE_GAS) {
        air.glow += light;
        air.smoke += vec4(colour_of(number), 1.0) * (amount - light.x);
        return;
    }
    air.ember += light;
    air.open -= amount;
    if (state == STATE_LIQUID)
        air.liquid += amount;
}

// The atom or solid of a cell, if it has any.
void add_matter(ivec2 cell, inout Air air)
{
    uint number = load_material(cell);
    int state = kind_of(number).state;
    air.cells = (state == STATE_SOLID ? 1u : 0u) | (state == STATE_EMPTY ? 1u << FIRST_EMPTY : 0u);
    if (state == STATE_EMPTY)
        return;
    float amount = 1.0;
#ifdef WITH_REACTIONS
    // Gases fade with age, except those whose age field holds latent heat.
    if (state == STATE_GAS && !keeps_latent(number))
        amount -= OLD_THINNER * float(load_age(cell)) / 255.0;
#endif
    add_material(number, amount, glow_of(cell, number), air);
}

#include "generated/air_of_rules.glsl"

Air air_of_cell(ivec2 cell)
{
    Air air = NO_AIR;
    air.open = 1.0;
    add_matter(cell, air);
    add_amounts(cell, air);
    air.open = max(air.open, 0.0);
    return air;
}
