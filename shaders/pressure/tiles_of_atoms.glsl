// The questions of rule pressure about tiles, answered for rule atoms.

// Test if a tile belongs to a component: it holds liquid, or liquid may rise from the tile below.
bool in_component(ivec2 tile) { return has_liquid(tile) || has_liquid(tile_beside(tile, ivec2(0, 1))); }

// Test if a tile, or the matter over it, has changed in this tick or the last, so that a surface in it may have opened.
bool may_have_new_surface(ivec2 tile) { return has_changed(tile, 1u); }

// Test if what floats on liquid in a tile may have changed in this tick or the last: a tile above has changed, with
// only tiles between that hold powder.
bool may_have_new_load(ivec2 tile)
{
    bool found = false, more = true;
    for (int i = 0; i < tile_grid.y && more && !found; i++) {
        ivec2 above = tile_beside(tile, ivec2(0, -1));
        found = above != tile && has_changed(above, 1u);
        more = above != tile && has_powder(above);
        tile = above;
    }
    return found;
}
