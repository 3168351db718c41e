// The port, an emitter or drain, that a dispatch serves. Twin: gpu.ports.
#include "generated/cell.glsl"
#include "generated/ports.glsl"

uniform int record;  // of the port among all records
uniform uint number; // its place among the world's emitters, or drains: what chance knows it by
uniform int substep;
uniform int substeps;

// The port's record.
Port served_port() { return ports[record]; }

// Whether this invocation owns a cell of a port: invocations are rounded up to whole groups.
bool owns_cell(Port port) { return all(lessThan(invocation(), port.size)); }

// The cell of a port that this invocation owns.
ivec2 owned_cell(Port port) { return port.at + invocation(); }

// The part of a port's rate that falls to this substep, in units: the parts add up to the rate.
int rate_now(Port port)
{
    if (port.rate == RATE_ALL)
        return MASS_LIMIT;
    int rest = port.rate % substeps; // the product with substeps stays small
    return port.rate / substeps + rest * (substep + 1) / substeps - rest * substep / substeps;
}
