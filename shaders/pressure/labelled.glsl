// Labels of cells, for passes that read them; 0 is the label of a cell without a body.
#include "pressure/bodies.glsl"

uint label_at(ivec2 at) { return load_labels(at); }

// The body that a cell belongs to, or that has adopted it.
const uint ADOPTED = 1u << 31;
uint body_at(ivec2 at) { return label_at(at) & ~ADOPTED; }
