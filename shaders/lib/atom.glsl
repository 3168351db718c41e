// Atoms in gravity's frame, and the properties of their materials. Twin: oracle/atoms/cells.py.
#include "generated/atoms.glsl" // defines state_of(material), density_of(material) and others
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "generated/carried.glsl"
#include "lib/frame.glsl"

struct Atom {
    int material;
    ivec2 velocity; // 1/16 cell a tick: across, and along gravity
    uint grain;
    Carried carried;
};

const Atom EMPTY = Atom(0, ivec2(0), 0u, NOTHING_CARRIED);
const Atom OUTSIDE = Atom(MATERIAL_WALL, ivec2(0), 0u, NOTHING_CARRIED);

bool is_empty(Atom atom) { return atom.material == 0; }
bool is_solid(Atom atom) { return state_of(atom.material) == STATE_SOLID; }
bool is_gas(Atom atom) { return state_of(atom.material) == STATE_GAS; }
bool is_fluid(Atom atom) { return state_of(atom.material) >= STATE_LIQUID; }
bool is_mobile(Atom atom) { return state_of(atom.material) >= STATE_POWDER; }

// Powders and liquids, which rest on the cell below.
bool is_heavy(Atom atom) { return is_mobile(atom) && !is_gas(atom); }

// Test if an atom is elastic: a powder with a cohesion of 1. Elastic atoms that touch bounce together, as one body.
bool is_elastic(Atom atom)
{
    return state_of(atom.material) == STATE_POWDER && cohesion_of(atom.material) == COHESION_ONE;
}

// Test if atom `to` may enter the cell of `atom`: the cell is empty, or holds a fluid less dense than `to`.
bool gives_way(Atom atom, Atom to)
{
    return is_empty(atom) || (is_fluid(atom) && density_of(atom.material) < density_of(to.material));
}

int bounded_speed(int speed) { return clamp(speed, -SPEED_LIMIT, SPEED_LIMIT); }

// Reduce a speed by friction, toward 0.
int slowed(int speed, int drag) { return sign(speed) * max(abs(speed) - drag, 0); }
