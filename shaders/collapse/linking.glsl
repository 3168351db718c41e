// Union-find among cells: a node is a cell, by the label of its place; its link is the label that it has.
#include "collapse/pieces.glsl"
#include "lib/union_find.glsl"

uint link_of(uint label) { return label_at(place_of_label(label)); }
uint lower_link(uint label, uint link) { return atomic_min_pieces(place_of_label(label), link); }
