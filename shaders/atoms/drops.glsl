// Liquid that falls freely, shared by find_run_ends, find_drops and form_drops. Twin: oracle/atoms/drops.py.

// Test if an atom is a liquid that falls freely: faster than an atom that only closes a hole in a body of liquid. A
// liquid of negative gravity falls upward.
bool falls_freely(int state, int pull, int speed)
{
    return state == STATE_LIQUID && (pull < 0 ? -speed : speed) > FREE_FALL * abs(pull) && pull != 0;
}

bool falls_freely(Atom atom) { return falls_freely(state_of(atom.material), pull_of(atom.material), atom.velocity.y); }

// Test if drops form in this tick, which is every other tick; `at` is any place of the world.
bool forms_drops(ivec2 at) { return (world_tick(at) & 1u) == 0u; }

// find_drops stores four words for each strip of a column, with four bits for each row: two bits for the side to which
// the atom is drawn across gravity, then two for the side along it. 1: the positive side, 2: the negative one.
const int ROWS_OF_WORD = 8;

uint bits_of_side(int side) { return side < 0 ? 2u : uint(side); }
int side_of_bits(uint bits) { return int(bits & 1u) - int(bits >> 1 & 1u); }
