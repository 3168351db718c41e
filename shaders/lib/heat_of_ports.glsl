// The heat that emitters add to cells of water by mass, or of a mixture, and that drains take from them. The including
// file has the image of plane `warmth`. Twin: oracle/water_heat.py.
#include "generated/cell.glsl"
#include "generated/laws_of_amounts.glsl" // defines HAS_WATER_HEAT
#include "lib/heat_shares.glsl"
#include "lib/ports.glsl"

#ifdef HAS_WATER_HEAT
// Change the heat of a cell that gets some mass from an emitter. Returns the heat that it gets.
int add_heat(Port port, ivec2 cell, int added)
{
    int now = int(load_warmth(cell)), next = heat_with_new(now, added, port.warmer);
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
