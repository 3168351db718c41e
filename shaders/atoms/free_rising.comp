#version 430
// Flag the sleeping tiles in which atoms start to rise; freeing.glsl has the law. Analysis only: changes no state and
// has no twin.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;

#include "atoms/freeing.glsl"
#include "atoms/rising.glsl"

void flag_tile(ivec2 tile) { set_tile_flag(LIFTED, tile, tick); }
