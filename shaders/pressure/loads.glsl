// Loads: a run of one liquid at rest on a cell of another body, with an open surface. Its weight presses on the cell as
// more of the cell's own liquid would. Twin: oracle/pressure/loads.py.
#include "pressure/labelled.glsl"
#include "pressure/run_above.glsl"

struct Load {
    ivec2 top;  // the uppermost cell of the run; in a part of a world it may lie above the own rows
    int height; // of the run, in cells
    bool open;  // the cell above it is empty
};

bool is_open(ivec2 at); // of the kind of matter

// The label of the cell above a place.
uint label_above(ivec2 at)
{
    ivec2 frame = frame_size(size), above = at - ivec2(0, 1);
#ifdef KNOWS_ABOVE
    if (is_above_own(above.y))
        return run_above(at.x).label;
#endif
    return is_outside(above, frame) ? 0u : label_at(inside_world(above, frame));
}

// The load on a cell of a body, whose neighbour above is of another body. Only labels are read, which no pass changes
// while it moves loads.
Load load_on(ivec2 at)
{
    Load load = Load(at, 0, false);
    uint body = label_above(at);
    while (load.height < column_rows() && label_above(load.top) == body) {
#ifdef KNOWS_ABOVE
        if (is_above_own(load.top.y - 1)) {
            Run above = run_above(at.x);
            return Load(load.top - ivec2(0, above.cells), load.height + above.cells, above.open);
        }
#endif
        load.top = inside_world(load.top - ivec2(0, 1), frame_size(size));
        load.height++;
    }
    load.open = is_open(load.top);
    return load;
}
