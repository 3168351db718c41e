// The questions of rule pressure about tiles, answered for rule mixture.

// Test if a tile belongs to a component: it holds liquid, or liquid may rise, fall or run from a neighbour.
bool in_component(ivec2 tile)
{
    return has_liquid(tile) || has_liquid(tile_beside(tile, ivec2(0, 1))) ||
        has_liquid(tile_beside(tile, ivec2(0, -1))) || has_liquid(tile_beside(tile, ivec2(-1, 0))) ||
        has_liquid(tile_beside(tile, ivec2(1, 0)));
}

// Test if a tile, or a tile around it, has changed in this tick or the last, so that a surface in it may have opened.
bool may_have_new_surface(ivec2 tile) { return has_changed_around(tile); }

// Nothing floats on a body of a mixture.
bool may_have_new_load(ivec2 tile) { return false; }
