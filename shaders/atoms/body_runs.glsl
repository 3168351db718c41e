// Runs of elastic bodies, shared by join and bounce. Twin: oracle.atoms.bouncing.
#include "atoms/bodies.glsl"

uvec4 stopped_in(ivec2 strip); // the words in which the previous pass has marked the stopped atoms of a strip

// Test if any atom of the run through a place is stopped. The run consists of the touching elastic atoms on a line
// through the place that move in a direction.
bool is_run_stopped(ivec2 at, ivec2 line, int direction)
{
    ivec2 frame = frame_size(size);
    bool stopped = has_row(stopped_in(ivec2(at.x, at.y / STRIP)), direction, at.y % STRIP);
    for (int side = -1; side <= 1; side += 2) {
        bool own = true;
        for (int i = 1; i < body_cells(line) && own && !stopped; i++) {
            ivec2 here = at + side * i * line, cell = inside_world(here, frame), strip = ivec2(cell.x, cell.y / STRIP);
            own = !is_outside(here, frame) && is_fresh(cell) && has_row(load_moving(strip), direction, cell.y % STRIP);
            stopped = own && has_row(stopped_in(strip), direction, cell.y % STRIP);
        }
    }
    return stopped;
}
