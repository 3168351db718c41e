// Atoms in gravity's frame, and the properties of their materials. Twin: oracle/atoms/cells.py.
#include "generated/atoms.glsl" // among them state_of(material), density_of(material) and their like
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

// Whether an atom may take this one's place: nothing is there, or a fluid that is less dense.
bool gives_way(Atom atom, Atom to)
{
    return is_empty(atom) || (is_fluid(atom) && density_of(atom.material) < density_of(to.material));
}

int bounded_speed(int speed) { return clamp(speed, -SPEED_LIMIT, SPEED_LIMIT); }

// A speed after friction.
int slowed(int speed, int drag) { return sign(speed) * max(abs(speed) - drag, 0); }
