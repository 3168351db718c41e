#version 430
// Compute the heat that goes along with the water that each cell sends, for pass move_heat. The flows are those of pass
// move, computed from the same masses and momenta. Twin: oracle.inertia.share_heat.
#include "inertia/stages.glsl"
#include "flow/heat_around.glsl"

// The mass that flows through three faces of each cell of the row `over`: its right face and its left face, positive to
// the right, and the face above it, positive down.
ivec3 kept[WINDOW];

void skip(int k, int y)
{
    if (inside[k + STRIP_REACH] != 0)
        store_heat_sent(ivec2(origin.x + k, y), uvec4(0));
}

void begin(int k) { kept[k + STRIP_REACH] = ivec3(0); }

// Store what column k of the row `over` sends.
void finish(int k)
{
    int i = k + STRIP_REACH;
    int flow = scaled(fall_over[i], fall_over[i] < 0 ? share[i] : share_over[i]);
    ivec4 parts = max(ivec4(kept[i].x, flow, -kept[i].y, -kept[i].z), 0);
    ivec2 at = ivec2(origin.x + k, over_row);
    if ((own_store & inside[i]) != 0)
        send_heat(at, heat_around(at), mass_of(over[i]), parts);
    kept[i] = ivec3(aside[i], aside[i - 1], flow);
}

void report(ivec2 strip) { }
