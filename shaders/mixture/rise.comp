#version 430
// Move materials up along the columns, in a part of a world; sink.comp has the law. Twin: oracle.mixture.rise.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/sinking.glsl"

bool scans(int direction) { return direction == UP; }

#include "generated/layout.glsl"
