// The port, an emitter or drain, that a dispatch serves. Twin: gpu.ports.
#include "generated/cell.glsl"
#include "generated/ports.glsl"

uniform int record;  // the index of the port among all records
uniform uint number; // the index among the world's emitters, or drains, which random streams use
uniform uint substep;
uniform int substeps;

// The port's record.
Port served_port() { return port_record(record); }

// Test if this invocation owns a cell of a port; the number of invocations is rounded up to whole groups.
bool owns_cell(Port port) { return all(lessThan(invocation(), port.size)); }

// The cell of a port that this invocation owns.
ivec2 owned_cell(Port port) { return port.at + invocation(); }

// The part of a port's rate for this substep, in units; the parts of all substeps add up to the rate.
int rate_now(Port port)
{
    if (port.rate == RATE_ALL)
        return MASS_LIMIT;
    int rest = port.rate % substeps, part = int(substep); // the products below cannot overflow
    return port.rate / substeps + rest * (part + 1) / substeps - rest * part / substeps;
}
