#version 430
// The number of cells of each material: a KiB to read back, however large the world is. An invocation works down a part
// of a column and adds a run of one material when the run ends. Integer sums do not depend on the order of work.
// Twin: numpy.bincount.
#include "generated/cell.glsl"
#include "generated/counts.glsl"
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 own_size;  // (width, height) of the cells that are counted
uniform ivec2 own_first; // the top left one

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= own_size.x || top >= own_size.y)
        return;
    uint last = load_material(own_first + ivec2(x, top));
    uint run = 0u;
    for (int y = top; y < min(top + ROWS, own_size.y); y++) {
        uint here = load_material(own_first + ivec2(x, y));
        if (here != last) {
            atomicAdd(cells_of[last], run);
            last = here;
            run = 0u;
        }
        run++;
    }
    atomicAdd(cells_of[last], run);
}
