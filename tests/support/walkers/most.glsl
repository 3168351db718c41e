// The largest count of an atom. Twin: support.walkers.MOST.
#include "generated/walkers.glsl" // among them STRIDE

const int MOST = 1000;
