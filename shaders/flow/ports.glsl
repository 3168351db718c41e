// The mass that emitters and drains of water add to a cell and take from it. The including file has included the
// constants of its rule. Twin: oracle.flow.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "flow/heat_shares.glsl"
#include "flow/seen.glsl"
#include "lib/chance.glsl"
#include "lib/frame.glsl"
#include "lib/tiles.glsl"
#include "lib/ports.glsl"

// The mass that an emitter adds to a cell, which holds `now`. Solid cells, and beside atoms all cells with an atom, get
// none: flow.walls has marked them before.
int added_mass(Port port, ivec2 cell, int now)
{
    uint roll = noise(to_frame(cell, size), uint(USE_EMIT) + number * uint(STEP_EMIT)).x >> 1;
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

#ifdef HAS_WATER_HEAT
const int WARMED_MOST = 16 * FULL; // units: what an emitter adds beyond this at once is as warm as the air

// Change the heat of a cell that gets some mass. Returns the heat that it gets.
int add_heat(Port port, ivec2 cell, int added)
{
    int warmer = port.warmer / WATER_HEAT_ONE, mass = min(added, WARMED_MOST), now = int(load_warmth(cell));
    int heat = (mass >> 10) * warmer + ((mass & 1023) * warmer >> 10);
    int next = clamp(now + heat, min(now, -WATER_HEAT_MOST), max(now, WATER_HEAT_MOST));
    store_warmth(cell, uint(next));
    return next - now;
}

// Change the heat of a cell that loses some of its mass. Returns the heat that it loses.
int take_heat(ivec2 cell, int mass, int taken)
{
    int now = int(load_warmth(cell)), heat = heat_along(now, mass, taken);
    store_warmth(cell, uint(now - heat));
    return heat;
}
#endif
