// Columns of gravity's frame, from the top down: the lines of survey and fall.
ivec2 place(int line, int index) { return ivec2(line, index); }
int line_length() { return frame_size(size).y; }
int speed_along(Atom atom) { return atom.velocity.y; }

Motion motion_of(Atom atom)
{
    return motion_along(atom.velocity.y, pull_of(atom.material), PULL_RECIPROCAL[atom.material],
                        terminal_of(atom.material), tick);
}
