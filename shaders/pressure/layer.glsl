// The layer of a mixture that is worked on; atoms have no layers: 0.
uniform int layer;
