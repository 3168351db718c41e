// How rule heat is drawn.
vec3 draw_heat(ivec2 cell, vec2 at, vec3 ground) { return ground; }
