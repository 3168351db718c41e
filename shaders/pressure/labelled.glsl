// For passes that read labels: 0 is of no body.
#include "pressure/bodies.glsl"

uint label_at(ivec2 at) { return imageLoad(labels, at).r; }
