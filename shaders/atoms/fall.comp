#version 430
// Atoms that fall, along the columns of gravity's frame. Twin: oracle.atoms.fall.
// Law: gravity speeds up what is not held; what lands loses its fall to friction, to a bounce and to sideways speed.
// Source: seed 004, "Powder Atom Movement" and "Spraying Fluids"; seed 002, "Solid movable cells".
#include "generated/images.glsl"
#include "atoms/march.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "atoms/falling.glsl"

void set_speed(inout Atom atom, int speed) { atom.velocity.y = speed; }

#include "atoms/landing.glsl"

void strike(inout Atom atom, int hard, ivec2 at) { land(atom, atom.velocity.y, pull_of(atom.material), at, USE_FALL); }

// What lies below a line of strips, from the first given one on.
Scan surveyed(int line, int strip)
{
    Scan scan = SCAN_NOTHING;
    int strips = imageSize(survey).y;
    for (; strip < strips && !scan.known; strip++)
        scan = longer_ahead(scan, scan_from(imageLoad(survey, ivec2(line, strip)).r));
    return scan;
}

Ahead ahead_of_line(int line) { return EDGES == EDGES_WRAP ? seen_through_ring(surveyed(line, 0)) : ahead_of_edge(); }

Ahead ahead_of_strip(int line, int last)
{
    Scan scan = surveyed(line, (last + STRIP - 1) / STRIP);
    return scan.known ? scan.ahead : seen_through(scan, ahead_of_line(line));
}

void main()
{
    ivec2 frame = frame_size(size);
    int line = invocation().x, first = invocation().y * STRIP;
    if (line < frame.x && first < frame.y)
        march(line, first);
}
