// Draws the background: the colour of empty cells or, by another theme or background, a gradient from the top of the
// world to its bottom. As a constant the colour is faster on software OpenGL.
#ifdef OWN_SKY
#include "render/place.glsl"

uniform vec3 sky_top;
uniform vec3 sky_bottom;

vec3 sky(ivec2 cell) { return mix(sky_top, sky_bottom, (float(place_in_world(cell).y) + 0.5) / float(world_size.y)); }
#else
vec3 sky(ivec2 cell) { return colour_of(0u); }
#endif
