// The layer of a mixture that the pass works on; 0 for atoms, which have no layers.
uniform int layer;
