// Union-find among cells: a node is a cell, by the label of its place; its link is the label that it has.
#include "pressure/labelled.glsl"
#include "lib/union_find.glsl"

uint link_of(uint label) { return label_at(place_of_label(label)); }
uint lower_link(uint label, uint link) { return atomic_min_labels(place_of_label(label), link); }
