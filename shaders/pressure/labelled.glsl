// Labels of cells and open surfaces, for passes that read them; 0 is the label of a cell without a body.
#include "pressure/bodies.glsl"

uint label_at(ivec2 at) { return load_labels(at); }

// The label of the body that a cell belongs to, or that has adopted it.
uint body_at(ivec2 at) { return label_at(at) & ~ADOPTED; }

#ifdef BIDS
// Hide some surfaces of the strip that begins at a place, in the rounds that are left.
void hide_surfaces(ivec2 first, uint bits)
{
    store_surfaces(strip_with(first), load_surfaces(strip_with(first)) & ~bits);
}
#endif
