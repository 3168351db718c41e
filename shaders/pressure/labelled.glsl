// For passes that read labels: 0 is of no body.
#include "pressure/bodies.glsl"

uint label_at(ivec2 at) { return load_labels(at); }

// The body that a cell is of, or that has adopted it.
const uint ADOPTED = 1u << 31;
uint body_at(ivec2 at) { return label_at(at) & ~ADOPTED; }
