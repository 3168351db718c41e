// The ports, emitters or drains, that a dispatch serves: each has some of its rows of invocations. Twin: gpu.ports.
#include "generated/cell.glsl"
#include "generated/ports.glsl"
#include "lib/domain.glsl"

// Of each port: the index of its record, and that among the world's emitters, or drains, which random streams use.
uniform ivec2 served[SERVED_MOST];
uniform int rows_a_port; // rows of invocations for each port
#include "lib/substep.glsl"
uniform int substeps;

ivec2 served_here() { return served[invocation().y / rows_a_port]; }

// The record and the number of the port that this invocation serves.
Port served_port() { return port_record(served_here().x); }
uint port_number() { return uint(served_here().y); }

// The place of this invocation among those of its port.
ivec2 within_port() { return ivec2(invocation().x, invocation().y % rows_a_port); }

// The cell of a port that this invocation owns. The columns and rows of a part of a torus can come back in its halo,
// and the port with them: further invocations serve its copies there.
ivec2 owned_cell(Port port)
{
    if (HALO_TURNS == ivec2(1))
        return port.at + within_port();
    ivec2 turn = within_port() / port.size; // copies before this one
    return port.at + within_port() - turn * port.size + turned_to_world(frame_size(turn) * whole_frame());
}

// Test if this invocation has a cell of a port that lies in the world; the number of invocations is rounded up to whole
// groups. A port can reach beyond a part of a world.
bool has_cell(Port port)
{
    ivec2 turns = frame_size(HALO_TURNS), cell = owned_cell(port);
    bool inside = !HAS_HALO || (all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, size)));
    return inside && all(lessThan(within_port(), port.size * turns));
}

// Test if this invocation has such a cell that the world computes, not one of the halo.
bool owns_cell(Port port) { return has_cell(port) && is_own(to_frame(owned_cell(port), size)); }

// The part of a port's rate for this substep, in units; the parts of all substeps add up to the rate.
int rate_now(Port port)
{
    if (port.rate == RATE_ALL)
        return MASS_LIMIT;
    int rest = port.rate % substeps, part = int(substep); // the products below cannot overflow
    return port.rate / substeps + rest * (part + 1) / substeps - rest * part / substeps;
}
