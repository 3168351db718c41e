#version 430
// Let the runs of a column pass each other where weigh has found it. Law: a permutation of the column in which no two
// cells of the moving run, and no two of the cells that it passes, change their order; the runs of two pairs share no
// cell. Twin: oracle.atoms.sink. Source: as weigh.comp.
#include "generated/images.glsl"
#include "atoms/packed.glsl"
#include "atoms/runs.glsl"
#include "atoms/waking.glsl"

#include "generated/layout.glsl"

// Test if a run begins with a row.
bool begins(int column, int row) { return (load_runs(ivec2(column, row / STRIP)).x >> (row % STRIP) & 1u) == 1u; }

// The cells of the run that ends with a row, counted upwards, at most RUN_MOST.
int cells_above(ivec2 at, int rows)
{
    int cells = 1;
    while (cells < RUN_MOST && cells < rows - 1 &&
           !begins(at.x, inside_world(at - ivec2(0, cells - 1), frame_size(size)).y))
        cells++;
    return cells;
}

// The cells of the run that begins with the row below a place, at most RUN_MOST.
int cells_below(ivec2 at, int rows)
{
    int cells = 1;
    bool more = true;
    while (cells < RUN_MOST && cells < rows - 1 && more) {
        ivec2 next = at + ivec2(0, 1 + cells);
        more = !is_outside(next, frame_size(size)) && !begins(at.x, inside_world(next, frame_size(size)).y);
        cells += more ? 1 : 0;
    }
    return cells;
}

void pass_cells(ivec2 at, bool down, int step, ivec2 frame)
{
    Weight upper = weight_at(at), lower = weight_at(at + ivec2(0, 1));
    bool keeps = !down || (is_fluid(upper) && lower.state == STATE_LIQUID); // what creeps has no speed
    int cells = down ? cells_above(at, frame.y) : cells_below(at, frame.y);
    int speed = sinking_speed(upper, lower, cells);
    ivec2 ahead = ivec2(0, down ? 1 : -1), begin = down ? at : at + ivec2(0, 1);
    PackedAtom passed[STEP_MOST];
    for (int i = 0; i < step; i++)
        passed[i] = packed_at(begin + ahead * (1 + i), 0u);
    // A fluid that a fast body has displaced into the open splashes. Cells beyond a run may change, but not from or to
    // empty.
    bool splashes = !keeps && speed > VELOCITY_ONE && is_empty(atom_around(begin - ahead * cells));
    for (int i = 0; i < cells; i++) {
        PackedAtom moving = packed_at(begin - ahead * i, 0u);
        Atom atom = atom_from(moving.word);
        atom.velocity.y = speed;
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
    ivec2 last = begin - ahead * (cells - 1);
    for (int i = 0; i < cells + step; i += 2 * MARGIN)
        note_change(CHANGED, last + ahead * i);
    note_change(CHANGED, begin + ahead * step);
}

void main()
{
    ivec2 strip = strip_index(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y || GRAVITY == GRAVITY_OFF)
        return;
    uvec3 planes = load_runs(strip).yzw;
    uint rows = planes.y | planes.z;
    while (rows != 0u) {
        int row = findLSB(rows);
        rows &= rows - 1u;
        uvec3 bits = planes >> row & 1u;
        pass_cells(ivec2(strip.x, first + row), bits.x == 1u, int(bits.y | bits.z << 1), frame);
    }
}
