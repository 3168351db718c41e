// How rule pressure is drawn: not at all, but for its overlay.
vec3 draw_pressure(ivec2 cell, vec2 at, vec3 ground) { return ground; }

float overlay_bodies(ivec2 cell) { return NOTHING; }
