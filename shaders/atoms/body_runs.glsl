// Runs of elastic bodies, shared by join and bounce. Twin: oracle.atoms.bouncing.
#include "atoms/bodies.glsl"

uvec4 stopped_in(ivec2 strip); // what the pass before has found of a strip

// Test if an atom of the run through a place along a line is stopped, of those that touch and go the same way.
bool is_run_stopped(ivec2 at, ivec2 line, int way)
{
    ivec2 frame = frame_size(size);
    bool stopped = has_row(stopped_in(ivec2(at.x, at.y / STRIP)), way, at.y % STRIP);
    for (int side = -1; side <= 1; side += 2) {
        bool own = true;
        for (int i = 1; i < body_cells(line) && own && !stopped; i++) {
            ivec2 here = at + side * i * line, cell = inside_world(here, frame), strip = ivec2(cell.x, cell.y / STRIP);
            own = !is_outside(here, frame) && is_fresh(cell) && has_row(load_moving(strip), way, cell.y % STRIP);
            stopped = own && has_row(stopped_in(strip), way, cell.y % STRIP);
        }
    }
    return stopped;
}
