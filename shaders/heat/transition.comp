#version 430
// Change the state of atoms by temperature. Law: an atom past a threshold absorbs or releases whole units of latent
// heat, which its age stores, and becomes another material when all of the latent heat is exchanged. No cell reads
// another. No heat is made or lost; the heat that a change binds is counted. In a world with water by mass an atom that
// becomes water leaves a full cell of such water, which gets all heat of the atom.
// Twin: oracle.heat.transition.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "atoms/put.glsl"
#include "heat/places.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

int bound; // heat bound by changes of state in cells that the world computes, in units of temperature

// Test if a product is water that the cell holds as a mass.
bool is_water_by_mass(int product)
{
#if defined(SEES_AMOUNTS) && !defined(OF_MIXTURE)
    return product == MATERIAL_WATER;
#else
    return false;
#endif
}

// Replace an atom by a full cell of water by mass. Counts its heat in a cell that the world computes.
void pour(inout Atom atom, bool own)
{
#if defined(SEES_AMOUNTS) && !defined(OF_MIXTURE)
    int heat = (temperature_of(atom.carried.warmth) - AMBIENT) * WATER_HEAT_ONE;
    if (own) {
        count_water_heat(temperature_of(atom.carried.warmth));
        count_atoms_water_heat(heat);
    }
    forget_carried(atom.carried);
    atom.carried.warmth = uint(heat);
    atom.carried.mass = FULL;
    atom = Atom(0, ivec2(0), 0u, atom.carried);
#endif
}

void change(ivec2 at)
{
    Atom atom = atom_at(at);
    uint thresholds = THRESHOLDS[atom.material], products = PRODUCTS[atom.material];
    int hotter = hotter_in(products), colder = colder_in(products), takes = takes_in(products),
        gives = gives_in(products);
    int above = above_in(thresholds), below = below_in(thresholds);
    bool changes = (hotter | colder) != 0;
    int before = temperature_of(atom.carried.warmth), held = int(atom.carried.warmth) >> SHIFT_AGE;
    // Stored latent heat is used up before heat of the other sign is stored.
    bool upward = held > 0 || (held == 0 && before > above);
    int taken = upward ? clamp((before - above) >> LATENT_SHIFT, -held, takes - held) : 0;
    bool downward = held < 0 || (held == 0 && before < below);
    taken = downward ? -clamp((below - before) >> LATENT_SHIFT, held, gives + held) : taken;
    taken = changes ? taken : 0;
    int now = held + taken;
    bool boils = hotter != 0 && upward && now >= takes;
    bool freezes = colder != 0 && downward && -now >= gives;
    if (!boils && !freezes && taken == 0)
        return;
    int product = boils ? hotter : colder;
    bool other = boils || freezes;
    uint before_material = uint(atom.material);
    int temperature = before - taken * LATENT_ONE;
    atom.carried.warmth = warmth_word(temperature, integrity_of(atom.carried.warmth), uint(other ? 0 : now) & 0xFFu);
    bool was_solid = is_solid(atom);
    atom.material = other ? product : atom.material;
    atom.velocity = is_solid(atom) ? ivec2(0) : atom.velocity;
    if (was_solid && !is_solid(atom))
        atom.grain = noise(at, uint(USE_TRANSITION)).z >> 24;
    bool own = is_own(at);
    bound += other && own ? now * LATENT_ONE : 0;
    bool by_mass = other && is_water_by_mass(product);
    if (by_mass) {
        pour(atom, own);
        if (own)
            count_made(uvec2(FULL, 0), tick);
        note_ready(at); // it may be: conduct has not seen it
    }
    put(at, atom);
    note_warm(at);
    if (other)
        note_change(CHANGED, at);
    if (!own)
        return;
    mark_active(tick);
    if (other) {
        count_used_atom(before_material, tick);
        if (!by_mass)
            count_made_atom(uint(product), tick);
    }
}

// The rows of a column whose atoms may be past a threshold, one bit each, from a place on.
uint rows_past(ivec2 first, int rows)
{
    uint found = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 cell = to_world(first + ivec2(0, row), size);
        uint thresholds = THRESHOLDS[load_material(cell)];
        found |= uint(is_past(thresholds, load_warmth(cell))) << row;
    }
    return found;
}

// Few atoms are past a threshold; on software OpenGL only a loop that no lane enters costs nothing.
void main()
{
    ivec2 frame = frame_size(size), first = unit() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    bool inside = first.x < frame.x && first.y < frame.y;
    int rows = inside ? min(STRIP_HEIGHT, frame.y - first.y) : 0;
    bound = 0;
    for (int x = first.x; x < min(first.x + STRIP_WIDTH, frame.x); x++) {
        ivec2 top = ivec2(x, first.y);
        for (uint past = rows_past(top, rows); past != 0u; past &= past - 1u)
            change(top + ivec2(0, findLSB(past)));
    }
    if (bound != 0)
        count_bound_heat(bound);
}
