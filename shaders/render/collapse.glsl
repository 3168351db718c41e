// Draws rule collapse: no colour of its own, as the rule only moves solids.
vec3 draw_collapse(ivec2 cell, vec2 at, vec3 ground) { return ground; }
