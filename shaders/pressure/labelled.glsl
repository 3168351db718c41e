// Labels of cells, for passes that read them; 0 is the label of a cell without a body.
#include "pressure/bodies.glsl"

uint label_at(ivec2 at) { return load_labels(at); }

// The label of the body that a cell belongs to, or that has adopted it.
uint body_at(ivec2 at) { return label_at(at) & ~ADOPTED; }
