// The layer of a mixture whose bodies these are; of atoms, which have none, 0.
uniform int layer;
