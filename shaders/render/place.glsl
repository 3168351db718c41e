// The place in the world of the cells that the textures hold: all cells of it, or some if a picture is drawn in pieces.
uniform ivec2 held_from;  // the cell of the world at their top left
uniform ivec2 world_size; // in cells

ivec2 place_in_world(ivec2 cell) { return cell + held_from; }
