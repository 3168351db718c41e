// Tiles that rule pressure must visit: the tiles of components in which a tile has changed, or in which the last tick
// left transfers pending.
#include "generated/pressure.glsl"
#include "generated/tick.glsl"
#include "pressure/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

// Tiles that have changed are searched for liquid and powder again. Every tile begins as a component of its own.
bool activate_find_liquid_tiles(ivec2 tile)
{
    if (tile_flag(UNFINISHED, tile_of(component_of(tile))) == tick - 1u)
        set_tile_flag(HELD, tile, tick);
    set_tile_flag(COMPONENT, tile, number_of(tile));
    bool awake = may_have_new_surface(tile) || all_awake;
    if (awake)
        set_tile_flag(SEARCHED, tile, tick);
    return awake;
}

bool activate_label(ivec2 tile)
{
    return in_component(tile) && tile_flag(ACTIVATED, tile_of(component_of(tile))) == tick;
}

// Test if the components of a tile may be active in the next tick; for the overlay of tiles. Components are found anew
// in each tick, so this is known only of the last one.
bool is_awake(ivec2 tile)
{
    return may_have_new_surface(tile) || (in_component(tile) && may_have_new_load(tile)) ||
        (in_component(tile) && tile_flag(UNFINISHED, tile_of(component_of(tile))) == tick - 1u);
}
