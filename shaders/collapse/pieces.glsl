// Pieces of loose solid. Twin: oracle/collapse.py.
#include "generated/collapse.glsl"
#include "generated/strip.glsl"
#include "lib/edges.glsl"
#include "lib/labels.glsl"

// The role of a material toward a piece: YIELDS, LOOSE, SLOWS, BEARS or HOLDS.
int role_of(uint material) { return ROLE[int(material)]; }

uint label_at(ivec2 at) { return load_pieces(at); }
