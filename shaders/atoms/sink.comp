#version 430
// Let the runs of a column pass each other, and stacks of light powder sink or rise, where weigh has found it. Law: a
// permutation of the column in which no two cells of the moving run, and no two of the cells that it passes, change
// their order; the runs of two pairs share no cell. Twin: oracle.atoms.sink. Source: as weigh.comp.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/floating.glsl"
#include "atoms/waking.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// Test if a run begins with a row.
bool begins(int column, int row) { return (load_runs(ivec2(column, row / STRIP)).x >> (row % STRIP) & 1u) == 1u; }

// The number of cells of the run that ends with a row, counted upwards, at most RUN_MOST. The first `cells` of them are
// known.
int cells_above(ivec2 at, int cells, int rows)
{
    while (cells < RUN_MOST && cells < rows - 1 &&
           !begins(at.x, inside_world(at - ivec2(0, cells - 1), frame_size(size)).y))
        cells++;
    return cells;
}

// The number of cells of the run that begins with the row below a place, at most RUN_MOST. The first `cells` of them
// are known.
int cells_below(ivec2 at, int cells, int rows)
{
    bool more = true;
    while (cells < RUN_MOST && cells < rows - 1 && more) {
        ivec2 next = at + ivec2(0, 1 + cells);
        more = !is_outside(next, frame_size(size)) && !begins(at.x, inside_world(next, frame_size(size)).y);
        cells += more ? 1 : 0;
    }
    return cells;
}

// Test if the cell above a run that moves is empty. If it is the only cell of a run that the run above it passes,
// another invocation may be changing it. Then it is not empty, but can look so while water gives way to an atom.
bool stays_empty(ivec2 at, ivec2 frame)
{
    ivec2 cell = inside_world(at, frame), above = inside_world(at - ivec2(0, 1), frame);
    uvec4 runs = load_runs(ivec2(above.x, above.y / STRIP));
    bool is_passed = !is_outside(at - ivec2(0, 1), frame) && ((runs.z | runs.w) >> (above.y % STRIP) & 1u) == 1u;
    return begins(cell.x, cell.y) && !is_passed && is_empty(atom_around(at));
}

// Let the run that ends at a place and the run below it pass each other: the upper run moves down by `step` cells, or
// the lower run moves up. At least `known` cells belong to the run that moves. Returns the first and the last row of
// the cells that change.
ivec2 pass_cells(ivec2 at, bool down, int step, int known, ivec2 frame)
{
    int rows = column_rows();
    Weight upper = weight_at(at), lower = weight_at(at + ivec2(0, 1));
    bool keeps = !down || creeps(upper, lower); // what creeps has no speed
    int cells = down ? cells_above(at, known, rows) : cells_below(at, known, rows);
    if (is_amount(down ? upper : lower))
        cells = down ? denser_above(at, cells, lower) : lighter_below(at, cells, upper);
    int speed = passing_speed(down, upper, lower, cells);
    ivec2 ahead = ivec2(0, down ? 1 : -1), begin = down ? at : at + ivec2(0, 1);
    PackedAtom passed[STEP_MOST];
    for (int i = 0; i < step; i++)
        passed[i] = packed_at(begin + ahead * (1 + i), 0u);
    // A fluid that a fast body has displaced into the open splashes.
    bool splashes = !keeps && speed > VELOCITY_ONE && stays_empty(begin - ahead * cells, frame);
    bool shares = !keeps && keeps_speed(lower); // the cells of the run share their momentum
    int all = 0;
    for (int i = 0; shares && i < cells; i++)
        all += max(atom_from(packed_at(begin - ahead * i, 0u).word).velocity.y, 0);
    for (int i = 0; i < cells; i++) {
        PackedAtom moving = packed_at(begin - ahead * i, 0u);
        Atom atom = atom_from(moving.word);
        atom.velocity.y = shares ? max(all / cells + (i < all % cells ? 1 : 0), 1) : speed;
        moving.word = keeps ? moving.word : word_of(atom);
        put_packed(begin + ahead * (step - i), moving);
    }
    uvec4 words = noise(at, USE_WEIGH);
    for (int i = 0; i < step; i++) {
        Atom atom = atom_from(passed[i].word);
        int side = 1 - 2 * int((words.x ^ words.y >> i) & 1u);
        atom.velocity = ivec2(side * (speed >> 1), -(speed >> 1));
        passed[i].word = splashes ? word_of(atom) : passed[i].word;
        put_packed(begin + ahead * (i + 1 - cells), passed[i]);
    }
    int last = begin.y - ahead.y * (cells - 1), front = begin.y + ahead.y * step;
    return ivec2(min(last, front), max(last, front));
}

// Move the stack of light powder that ends at a place by a row, up (-1) or down (1). At least `known` cells belong to
// the stack. Returns the first and the last row of the cells that change.
ivec2 float_stack(ivec2 at, int direction, int known, int rows)
{
#ifdef KEEPS_MOMENTUM
    int cells = cells_above(at, known, rows), wet = min(cells_below(at, 1, rows), rows - cells - 1);
    return move_stack(at, cells, direction, min(direction < 0 ? wet : wet - 1, WATER_FLOATS_OVER));
#else
    return at.yy;
#endif
}

// Note changes in the rows of a column from `first` to `last`. A tile has at least as many rows as a strip.
void note_rows(int column, int first, int last)
{
    note_latest(tick);
    note_beside(CHANGED, ivec2(column, last + MARGIN), ivec2(MARGIN, 0), tick);
    for (int row = first - MARGIN; row < last + MARGIN; row += STRIP)
        note_beside(CHANGED, ivec2(column, row), ivec2(MARGIN, 0), tick);
}

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y || GRAVITY == GRAVITY_OFF)
        return;
    uvec4 runs = load_runs(strip);
    ivec2 changed = ivec2(2 * frame.y, -frame.y); // the first and the last row of all
    uint rows = runs.z | runs.w;
    if (rows != 0u)
        do {
            int row = findLSB(rows);
            uvec3 bits = runs.yzw >> row & 1u;
            bool down = bits.x == 1u;
            int known = down ? cells_up(runs.x, row) : cells_down(runs.x, row, min(STRIP, frame.y - first));
            ivec2 at = ivec2(strip.x, first + row), range;
            if (floats(weight_at(at), weight_at(at + ivec2(0, 1))))
                range = float_stack(at, down ? 1 : -1, cells_up(runs.x, row), column_rows());
            else
                range = pass_cells(at, down, int(bits.y | bits.z << 1), known, frame);
            changed = ivec2(min(changed.x, range.x), max(changed.y, range.y));
            rows &= rows - 1u;
        } while (rows != 0u);
    if (changed.x <= changed.y)
        note_rows(strip.x, changed.x, changed.y);
}
