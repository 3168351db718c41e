#version 430
// Find where fluid can spread. A run is a row of touching atoms of one fluid, or of full cells of water by mass beside
// atoms of a less dense liquid; a hole is a cell after its end that is empty or holds a less dense fluid; a head is an
// atom of the run, with matter on top, that may move into the hole. In each segment of a row the pass finds the
// foremost run that ends at a hole, and a head of that run; spread.comp moves the head. Law: such a move lowers the
// energy, because a head has matter on top, or shortens the gap between two runs of a surface, so a fluid comes to
// rest. No two runs find the same cells. Twin: oracle.atoms.seek.
// Source: seed 004, "Fluid atoms can move through atoms of the same element (if there is an empty space on the other
// side)".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "atoms/waking.glsl"

#include "lib/substep.glsl"

#include "atoms/side.glsl"
#include "atoms/spreading.glsl"

// The number of atoms of a run that are searched for a head: less than a whole row, so that no search goes once around
// a torus.
int reach_within(int most) { return min(most, row_columns() - 1); }

// Test if the fluid at the end of a run can flow into an empty hole: a solid roof lies over the end, as in an orifice,
// or the hole lies on matter, or its height above matter is at most a share of the depth of the end. So a vertical
// surface of fluid flows out at its foot first. Where the hole lies on matter, as most do, the depth does not count.
bool is_led(Atom end, ivec2 at)
{
    int down = pull_side(end), depth = 0, i = 0, below = 1;
    bool lies = !is_empty(atom_around(at + ivec2(side, down))), roofed = false, more = !lies;
    if (more)
        do {
            Atom over = atom_around(at - ivec2(0, ++i * down));
            roofed = i <= ROOF && is_solid(over);
            more = !is_empty(over) && !is_solid(over);
            depth += more ? 1 : 0;
        } while (i < TOE_DEPTH && more);
    if (below <= depth / TOE && !lies)
        do
            lies = !is_empty(atom_around(at + ivec2(side, ++below * down)));
        while (below <= depth / TOE && !lies);
    return roofed || lies;
}

// Test if a hole that holds a less dense fluid is the lowest cell of a layer of that fluid, and the layer lies on the
// denser fluid, a powder or a solid. So a denser fluid spreads along its surface and not into a mixture.
bool is_lowest(Atom end, Atom hole, ivec2 at)
{
    ivec2 up = ivec2(0, -pull_side(end)), beside = at + ivec2(side, 0);
    Atom floor = atom_around(beside - up);
    bool lowest = floor.material == end.material || !is_fluid(floor);
    for (int i = 1; i < LAYER; i++)
        lowest = lowest && atom_around(beside + up * i).material == hole.material;
    return lowest;
}

// The number of empty cells from a place on, toward `direction`, before an atom of the same liquid; `most` if there is
// none before that number of cells.
int gap_before(Atom end, ivec2 at, int direction, int most)
{
    int gap = 0;
    bool more;
    do {
        more = is_empty(atom_around(at + ivec2(direction * gap, 0)));
        gap += more ? 1 : 0;
    } while (gap < most && more);
    return !more && atom_around(at + ivec2(direction * gap, 0)).material == end.material ? gap : most;
}

// Test if a short run of a liquid with nothing on top moves by a cell toward the next run of its row, because that run
// is nearer than the next one behind it. So the uppermost row of a liquid, which is not full, gathers in long runs.
// Law: the shortest gap of a row only ever gets shorter, so runs join and the row comes to rest.
bool gathers(Atom end, Atom hole, ivec2 at, int tail)
{
    ivec2 last = at - ivec2(side * tail, 0);
    bool lies = !gives_way(atom_around(at + ivec2(side, 1)), end);
    bool bare = is_empty(atom_around(last - ivec2(0, 1))) && is_empty(atom_around(at + ivec2(side, -1)));
    bool may = lies && bare && is_empty(hole) && state_of(end.material) == STATE_LIQUID && pull_of(end.material) > 0 &&
        cohesion_of(end.material) > 0 && tail < GATHER && atom_at(inside_world(last, frame_size(size))).velocity.y == 0;
    int ahead = may ? gap_before(end, at + ivec2(side, 0), side, GATHER) : GATHER;
    return ahead < GATHER && gap_before(end, last - ivec2(side, 0), -side, ahead + 1) > ahead;
}

// Test if an atom of a run can be the run's head, so that it exchanges places with the hole. `fluid` is any atom of the
// run.
bool may_lead(Atom fluid, Atom hole, ivec2 at)
{
    Atom atom = atom_around(at), behind = atom_around(at - ivec2(side, 0));
    // The run's last atom is no head if a denser fluid behind it may use it as a hole.
    bool claimed = is_fluid(behind) && density_of(behind.material) > density_of(fluid.material);
    return atom.material == fluid.material && atom.velocity.y == 0 && !claimed && is_pressed(fluid, hole, at);
}

// The head of a run.
struct Head {
    bool is_possible; // an atom of the run may be the head, in this tick or, by chance, in another
    int distance;     // from the end of the run; -1: none
    int lift;         // rows from the head up to the atom that leaves in its place
};

// The head before an empty hole, drawn among all atoms that can be heads.
// `tail` is the distance to the run's last atom, as far as the run has been searched.
Head head_in_the_open(Atom end, Atom hole, ivec2 at, out int tail)
{
    int found = -1, reach = reach_within(REACH_OPEN), distance = 0;
    tail = 0;
    uint best = 0u;
    bool own = reach > 0;
    if (own)
        do {
            ivec2 here = at - ivec2(side * distance, 0);
            uint lot = noise(inside_world(here, frame_size(size)), uint(USE_SEEK) + substep).x | 1u;
            if (lot > best && may_lead(end, hole, here)) {
                best = lot;
                found = distance;
            }
            tail = distance;
            own = atom_around(here - ivec2(side, 0)).material == end.material;
            distance++;
        } while (distance < reach && own);
    return Head(found >= 0, found, 0);
}

// The random numbers of a column in this run of the pass. They are those of its cell in the first row of the whole
// world, so all rows of the column get the same numbers.
uvec4 drawn_for_column(ivec2 at)
{
    int first_row = whole_place(ivec2(0)).y;
    return noise(ivec2(inside_world(at, frame_size(size)).x, -first_row), uint(USE_SEEK) + substep);
}

// Test if a column serves the row of a place: only then may an atom over a head in this column leave in the place of
// the head. A column serves one of LIFT_PAIRS consecutive pairs of rows, drawn by chance; so no two runs lift to one
// cell.
bool serves(uvec4 drawn, ivec2 at) { return int(drawn.x >> 16) % LIFT_PAIRS == (whole_place(at).y >> 1) % LIFT_PAIRS; }

// The atoms of one material that lie over a place without a gap, and the material over them. `atoms` is at most
// LIFT_MOST and does not count beyond the upper edge of a torus. `over` is 0 for an empty cell and for thin amounts.
struct Stack {
    int atoms;
    int over;
};

Stack stack_over(int material, ivec2 at)
{
    int atoms = 0;
    bool torus = HAS_HALO && EDGES == EDGES_WRAP;
    int above = torus ? min(at.y, whole_place(at).y) : at.y; // the rows of the world over the place
    while (atoms < LIFT_MOST && above > atoms && atom_at(at - ivec2(0, atoms + 1)).material == material)
        atoms++;
    int over = atom_around(at - ivec2(0, atoms + 1)).material;
    return Stack(atoms, is_thin(over) ? 0 : over);
}

// The lift of a head with so many atoms of its fluid on top: the largest odd number of rows that is not greater; 0
// without such atoms. A lift is odd, because only every other row spreads at once.
int lift_by(int atoms) { return atoms == 0 ? 0 : atoms - 1 | 1; }

// The head before a hole that holds a less dense fluid: of the possible heads one over which the run's fluid reaches
// highest. If the column of the head serves the row, the content of the hole moves to the top of that fluid and need
// not rise through it. Else, in a thin layer, the content takes the place of the head, if the head is near the top. The
// cell on top of the fluid must hold the same as the hole, or the same as the cell on top of the layer in the hole, so
// that a drop or a bubble stays in one piece. If fluid and layer are both higher than LIFT_MOST, their tops are
// unknown, and the content moves to the highest cell of the fluid that was searched.
Head head_in_layer(Atom end, Atom hole, ivec2 at)
{
    Head found = Head(false, -1, 0);
    Stack layer = stack_over(hole.material, inside_world(at + ivec2(side, 0), frame_size(size)));
    int shallow = layer.atoms < THIN_LAYER ? SHALLOW : -1;
    int reach = reach_within(REACH_FLUID);
    uint best = 0u; // the lift, then a lot of the column
    int distance = 0;
    bool own = reach > 0;
    if (own)
        do {
            ivec2 here = at - ivec2(side * distance, 0);
            if (may_lead(end, hole, here)) {
                uvec4 drawn = drawn_for_column(here);
                Stack stack = stack_over(end.material, inside_world(here, frame_size(size)));
                bool unknown = stack.over == end.material && layer.over == hole.material;
                bool possible = stack.over == hole.material || stack.over == layer.over || unknown;
                bool served = serves(drawn, here);
                uint lot = uint(served ? lift_by(stack.atoms) : 0) << 24 | drawn.y >> 8 | 1u;
                found.is_possible = found.is_possible || possible;
                if (possible && lot > best && (served || stack.atoms <= shallow)) {
                    best = lot;
                    found.distance = distance;
                    found.lift = int(lot >> 24);
                }
            }
            own = atom_around(here - ivec2(side, 0)).material == end.material;
            distance++;
        } while (distance < reach && own);
    return found;
}

// The number of atoms in the column that presses on a head, the head included, at most `most`.
int depth_at(Atom fluid, ivec2 at, int most)
{
    int depth = min(1, most);
    while (depth < most && is_mobile(atom_around(at - ivec2(0, depth * pull_side(fluid)))))
        depth++;
    return depth;
}

// The holes that a run may fill at once, one bit each, from the cell after the run's end on. Holes behind further atoms
// of the same kind count too, but only within the run's segment, so that no other run fills them.
uint holes_beyond(Atom end, Atom hole, ivec2 at, int cells_left)
{
    uint mask = 1u;
    bool more = is_open(hole, end), through = false;
    int i = 1;
    if (more)
        do {
            Atom next = atom_around(at + ivec2(side * (i + 1), 0));
            bool open = is_open(next, end);
            through = through || !open;
            more = (open || next.material == end.material) && !(through && i >= cells_left);
            more = more && !is_empty(atom_around(at + ivec2(side * (i + 1), pull_side(end))));
            mask |= more && open ? 1u << i : 0u;
            i++;
        } while (i < SPAN && more);
    return mask;
}

// The atoms behind a head that spread with it, a bit each, from the next atom on.
uint followers(Atom end, Atom hole, ivec2 at, int distance, int wanted)
{
    uint mask = 0u;
    bool own = wanted > 1;
    int found = 1, i = 0;
    if (own)
        do {
            ivec2 here = at - ivec2(side * (distance + 1 + i), 0);
            bool far = EDGES == EDGES_WRAP && distance + 1 + i >= row_columns() - SPAN; // not once around the torus
            own = atom_around(here).material == end.material && !far;
            bool leads = own && may_lead(end, hole, here);
            mask |= leads ? 1u << i : 0u;
            found += leads ? 1 : 0;
            own = own && found < wanted;
            i++;
        } while (i < SPAN && own);
    return mask;
}

void main()
{
    ivec2 frame = frame_size(size);
    ivec2 slot = unit(), rows = ivec2(0, 2 * slot.x); // of the two rows one is worked on
    pick_side(rows);
    int row = rows.y + row_parity(rows), segment = slot.y;
    int first = segment * SEGMENT - segment_lead(), last = min(first + SEGMENT, frame.x), begin = max(first, 0);
    if (row >= frame.y || first >= frame.x)
        return;
    // First a cheap test of all cells, then each further test in a loop of its own; see reactions/react.comp for the
    // reason. Bits are cells of the segment: `ends` may be ends of runs, those of `open` before an open hole.
    Atom hole = atom_around(place_of(last, row));
    FluidCell here = fluid_cell_of(hole);
    uint ends = 0u, open = 0u;
    for (int index = last - 1; index >= begin; index--) {
        Atom end = atom_at(place_of(index, row));
        FluidCell before = here;
        here = fluid_cell_of(end);
        bool faces = may_face(here, before) && stick_of(end.material) < 256; // an atom that always sticks never spreads
        ends |= faces ? 1u << (index - first) : 0u;
        open |= faces && is_open(hole, end) ? 1u << (index - first) : 0u;
        hole = end;
    }
    uint untested = open;
    if (untested != 0u)
        do {
            int bit = findLSB(untested);
            ivec2 at = place_of(first + bit, row);
            ends ^= is_led(atom_at(at), at) ? 0u : 1u << bit;
            untested &= untested - 1u;
        } while (untested != 0u);
    untested = ends & ~open;
    if (untested != 0u)
        do {
            int bit = findLSB(untested);
            ivec2 at = place_of(first + bit, row);
            ends ^= is_lowest(atom_at(at), atom_around(at + ivec2(side, 0)), at) ? 0u : 1u << bit;
            untested &= untested - 1u;
        } while (untested != 0u);
    uvec4 found = uvec4(0u); // the foremost end with a head
    bool searches = ends != 0u;
    if (searches)
        do {
            int index = first + findMSB(ends);
            bool led = (open >> (index - first) & 1u) != 0u;
            ends ^= 1u << (index - first);
            ivec2 at = place_of(index, row);
            Atom end = atom_at(at);
            hole = atom_around(at + ivec2(side, 0));
            Head head = Head(false, -1, 0);
            int tail = 0;
            if (led)
                head = head_in_the_open(end, hole, at, tail);
            else
                head = head_in_layer(end, hole, at);
            int depth = depth_at(end, at - ivec2(side * head.distance, 0), head.distance < 0 ? 0 : DEPTH_MOST);
            if (led && head.distance < 0 && gathers(end, hole, at, tail))
                head = Head(true, tail, 0);
            if (head.is_possible) {
                if (is_own(at))
                    mark_active(tick);
                note_change(STICKING, at); // what chance keeps from spreading in this tick may spread in another
            }
            if (head.distance >= 0) {
                bool sticks = int(noise(at, USE_SEEK + substep).y & 0xFFu) < stick_of(end.material);
                uint holes = holes_beyond(end, hole, at, last - 1 - index);
                uint heads = followers(end, hole, at, head.distance, min(bitCount(holes), HEADS[depth]));
                uint place = uint(head.distance << 8 | (index - first + 1));
                found = sticks ? uvec4(0u) : uvec4(depth << 24 | place, heads, holes, head.lift);
            }
        } while (ends != 0u && found.x == 0u);
    store_slots(slot, found);
}
