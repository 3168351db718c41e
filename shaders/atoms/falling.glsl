// The lines of survey, fall and drain_falling: columns of gravity's frame, from the top down.
ivec2 place(int line, int index) { return ivec2(line, index); }
int line_length() { return frame_size(size).y; }
int line_count() { return frame_size(size).x; }
bool is_reversed() { return false; }
int speed_along(Atom atom) { return atom.velocity.y; }

// A gas holds nothing up: an atom that falls on it waits until the two have changed places.
int hardness(Atom atom)
{
    int hard = is_amount(atom.material) ? HARD_AMOUNT : HARD_ATOM;
    return atom.velocity.y == 0 && !is_gas(atom) ? hard : HARD_NONE;
}

// A powder that lies on a lighter fluid is about to sink into it, unless both fall.
bool is_soft(Atom atom, Atom beyond)
{
    return state_of(atom.material) == STATE_POWDER && is_fluid(beyond) && gives_way(beyond, atom) &&
        beyond.velocity.y <= 0;
}

Motion motion_of(Atom atom, ivec2 at)
{
    return motion_along(atom.velocity.y, pull_of(atom.material), PULL_RECIPROCAL[atom.material],
                        terminal_of(atom.material), world_tick(at));
}
