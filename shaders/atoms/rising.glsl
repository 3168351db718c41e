// The lines of rise and drain_rising: columns of gravity's frame, from the bottom up.
ivec2 place(int line, int index) { return ivec2(line, frame_size(size).y - 1 - index); }
int line_length() { return frame_size(size).y; }
int line_count() { return frame_size(size).x; }
bool is_reversed() { return true; }
int speed_along(Atom atom) { return -atom.velocity.y; }
int hardness(Atom atom) { return atom.velocity.y == 0 ? HARD_ATOM : HARD_NONE; }
bool is_soft(Atom atom, Atom beyond) { return false; }

Motion motion_of(Atom atom, ivec2 at)
{
    return motion_along(-atom.velocity.y, -pull_of(atom.material), PULL_RECIPROCAL[atom.material],
                        terminal_of(atom.material), world_tick(at));
}
