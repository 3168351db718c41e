// The state ahead of an atom on its line, found by a scan from the front of the line to its back. Law: the atoms of a
// line move as if one after the other, the foremost first ("from bottom to top", seed 004, footnote 4); each goes as
// far as it wishes and as the atom ahead has made room. So a run of atoms moves as a whole. Twin: oracle/atoms/scan.py.
// A step of the scan maps free -> min(free + gain, cap). Such maps compose, so any strip of a line is summed up in one
// word, and all strips work at once. An atom that lies on an amount and does not move is an atom to those behind it.

struct Ahead {
    int free; // empty cells up to the next obstacle, after that obstacle has moved
    int hard; // the hardness of that obstacle, such as HARD_ATOM; rules/atoms.py says what each means
};

// The kind of a cell in a line: empty, an atom that moves along the line, or an obstacle.
const int STEP_EMPTY = 0;
const int STEP_MOVER = 1;
const int STEP_BLOCK = 2;

struct Step {
    int kind;
    int value; // the cells that a mover would move without obstacles, or the hardness of a block
};

// The state ahead of an atom that moves along the line, as it counts behind that atom.
Ahead seen_past(Ahead ahead)
{
    bool rests = ahead.free == 0 && ahead.hard == HARD_AMOUNT;
    return Ahead(ahead.free, rests ? HARD_ATOM : ahead.hard);
}

// The state ahead of the cell behind.
Ahead ahead_after(Ahead ahead, Step step)
{
    if (step.kind == STEP_EMPTY)
        return Ahead(min(ahead.free + 1, CLEAR), ahead.hard);
    if (step.kind == STEP_BLOCK)
        return Ahead(0, step.value);
    int moved = min(step.value, ahead.free);
    return Ahead(moved, moved == ahead.free ? seen_past(ahead).hard : HARD_NONE);
}

// A strip of a line: the state behind it as a function of the state ahead of it, or known already.
struct Scan {
    int gain;
    int cap;
    bool known;
    Ahead ahead;
    bool mover; // the foremost cell is an atom that moves along the line
};

const Scan SCAN_NOTHING = Scan(0, CLEAR, false, Ahead(0, 0), false);

Scan known_scan(Ahead ahead) { return Scan(0, 0, true, ahead, false); }

// Test for a strip without a cell: a mover bounds the free cells, and an empty cell adds one.
bool is_nothing(Scan scan) { return !scan.known && scan.gain == 0 && scan.cap == CLEAR; }

Ahead seen_through(Scan scan, Ahead ahead)
{
    if (scan.known)
        return scan.ahead;
    int free = ahead.free + scan.gain, hard = scan.mover ? seen_past(ahead).hard : ahead.hard;
    return Ahead(min(free, scan.cap), free <= scan.cap ? hard : HARD_NONE);
}

// Extend a strip by one cell at its back.
Scan longer_behind(Scan scan, Step step)
{
    if (scan.known)
        scan.ahead = ahead_after(scan.ahead, step);
    else if (step.kind == STEP_EMPTY)
        scan = Scan(min(scan.gain + 1, CLEAR), min(scan.cap + 1, CLEAR), false, scan.ahead, scan.mover);
    else if (step.kind == STEP_MOVER)
        scan = Scan(scan.gain, min(scan.cap, step.value), false, scan.ahead, scan.mover || is_nothing(scan));
    else
        scan = known_scan(Ahead(0, step.value));
    return scan;
}

// Join two strips, the second ahead of the first. The state is known as soon as nothing farther ahead can change it.
Scan longer_ahead(Scan scan, Scan farther)
{
    if (farther.known)
        return known_scan(seen_through(scan, farther.ahead));
    scan.mover = is_nothing(farther) ? scan.mover : farther.mover;
    scan.cap = min(scan.cap, farther.cap + scan.gain);
    scan.gain = min(scan.gain + farther.gain, CLEAR);
    if (scan.gain > scan.cap || scan.gain == CLEAR)
        return known_scan(Ahead(scan.cap, HARD_NONE));
    return scan;
}

Scan scan_of(Step step) { return longer_behind(SCAN_NOTHING, step); }

// The state ahead of a whole ring. On a torus an unresolved scan has 0 free cells.
Ahead seen_through_ring(Scan ring) { return ring.known ? ring.ahead : Ahead(0, HARD_NONE); }

uint scan_word(Scan scan)
{
    if (scan.known)
        return 1u << 16 | uint(scan.ahead.hard) << 8 | uint(scan.ahead.free);
    return (scan.mover ? 1u << 17 : 0u) | uint(scan.gain) << 8 | uint(scan.cap);
}

Scan scan_from(uint word)
{
    int high = int(word >> 8 & 0xFFu), low = int(word & 0xFFu);
    return (word >> 16) == 1u ? known_scan(Ahead(low, high)) : Scan(high, low, false, Ahead(0, 0), word >> 17 == 1u);
}
