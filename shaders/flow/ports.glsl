// The mass that emitters and drains of water add to a cell and take from it. The including file has included the
// constants of its rule. Twin: oracle.flow.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "flow/seen.glsl"
#include "lib/chance.glsl"
#include "lib/frame.glsl"
#include "lib/heat_of_ports.glsl"
#include "lib/tiles.glsl"
#include "lib/ports.glsl"

// The mass that an emitter adds to a cell, which holds `now`. Solid cells, and beside atoms all cells with an atom, get
// none: flow.walls has marked them before.
int added_mass(Port port, ivec2 cell, int now)
{
    uint roll = noise(to_frame(cell, size), uint(USE_EMIT) + port_number() * uint(STEP_EMIT)).x >> 1;
    bool emits = !load_mass_is_solid(cell) && roll < port.chance;
    return emits ? clamp(port.level - now, 0, rate_now(port)) : 0;
}

// The mass that a drain takes from a cell, in which `now` can flow.
int taken_mass(Port port, int now) { return min(now, rate_now(port)); }

void note_port(ivec2 cell)
{
    note_latest(tick);
    ivec2 at = to_frame(cell, size);
    note_cell(CHANGED, at, frame_size(size), tick);
    note_seen(at, at);
}
