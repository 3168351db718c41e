// What emitters and drains of water by mass add to a cell and take from it. The including file has included the
// constants of its rule. Twin: oracle.flow.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "generated/water.glsl" // defines SEES_ATOMS in a world with atoms
#include "lib/chance.glsl"
#include "lib/tiles.glsl"
#include "lib/ports.glsl"

// The mass that an emitter adds to a cell, which holds `now`. Solid cells get none. Beside atoms, no cell with an atom
// gets any.
int added_mass(Port port, ivec2 cell, int now)
{
    uint roll = noise(cell, uint(USE_EMIT) + number * uint(STEP_EMIT)).x >> 1;
    bool blocked = load_mass_is_solid(cell);
#ifdef SEES_ATOMS
    blocked = load_material(cell) != 0u;
#endif
    bool emits = !blocked && roll < port.chance;
    return emits ? clamp(port.level - now, 0, rate_now(port)) : 0;
}

// The mass that a drain takes from a cell, in which `now` can flow.
int taken_mass(Port port, int now) { return min(now, rate_now(port)); }

void note_port(ivec2 cell)
{
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
}
