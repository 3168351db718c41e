#version 430
// Move materials along the columns: falling ones down, rising ones up, the foremost cell first. So a run of cells moves
// as a whole. Law: the units that leave a cell are the least of three amounts: the units in the cell, the speed of the
// material, and the room in the cell ahead after the units of that cell have left. The cell ahead gets them.
// Twin: oracle.mixture.sink.
// In a part of a world materials move down only; then other simulations sum up the columns again, and pass rise
// follows. Source: seed 003, doVerticalFlow(), with the cells visited from the foremost one on.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/sinking.glsl"

bool scans(int direction) { return direction == DOWN || !HAS_HALO; }

#include "generated/layout.glsl"
