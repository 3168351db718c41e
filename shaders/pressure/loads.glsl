// Loads: a run of one liquid at rest on a cell of another body, with an open surface. Its weight presses on the cell as
// more of the cell's own liquid would. Twin: oracle/pressure/loads.py.
#include "pressure/labelled.glsl"

struct Load {
    ivec2 top;  // the uppermost cell of the run
    int height; // of the run, in cells
};

// The load on a cell of a body, whose neighbour above is of another body. Only labels are read, which no pass changes
// while it moves loads; whether the uppermost cell is open is not tested.
Load load_on(ivec2 at)
{
    ivec2 frame = frame_size(size), above = at - ivec2(0, 1);
    Load load = Load(at, 0);
    uint body = label_at(inside_world(above, frame));
    while (load.height < frame.y && !is_outside(above, frame) && label_at(inside_world(above, frame)) == body) {
        load = Load(inside_world(above, frame), load.height + 1);
        above = load.top - ivec2(0, 1);
    }
    return load;
}
