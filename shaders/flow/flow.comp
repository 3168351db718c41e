#version 430
// Rule flow: every cell's next mass, gathered from the old masses of its neighbours.
// Law: what one cell sends another receives; mass moves, none is made or lost. Twin: oracle.flow.flow.
//
// An invocation owns a strip of cells. It slides a window of three rows down the strip and works out the outflow of
// each cell about once, where a cell by itself would work out five. A row's new mass is stored one row late, when
// the row below has said what it sends up.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/kernel.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "lib/edges.glsl"
#include "lib/flow.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

// Two columns beyond the strip on each side: one whose outflow is wanted, one that this outflow depends on.
const int WINDOW = STRIP_WIDTH + 4;

int mass_at(ivec2 cell)
{
    int mass = imageLoad(mass_read, inside_world(cell, size)).r;
    return is_outside(cell, size) ? (EDGES == EDGES_OPEN ? 0 : SOLID) : mass;
}

// What of an outflow crosses the world's edge.
int leaving(Outflow sent, ivec2 cell)
{
    return (cell.y == size.y - 1 ? sent.down : 0) + (cell.x == 0 ? sent.left : 0) +
        (cell.x == size.x - 1 ? sent.right : 0) + (cell.y == 0 ? sent.up : 0);
}

void main()
{
    ivec2 strip = owned_strip();
    ivec2 origin = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (origin.x >= size.x || origin.y >= size.y)
        return;
    int coin = first_side(tick, substep);

    int above[WINDOW], here[WINDOW], below[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        above[i] = mass_at(origin + ivec2(i - 2, -2));
        here[i] = mass_at(origin + ivec2(i - 2, -1));
        below[i] = mass_at(origin + ivec2(i - 2, 0));
    }
    int kept[STRIP_WIDTH];    // the row above: its next mass, but for what this row sends up
    int falling[STRIP_WIDTH]; // what the row above sends down
    for (int i = 0; i < STRIP_WIDTH; i++) {
        kept[i] = 0;
        falling[i] = 0;
    }
    uvec2 moved_units = uvec2(0), left_units = uvec2(0);

    for (int row = -1; row <= STRIP_HEIGHT; row++) {
        Outflow before = outflow(here[1], below[1], here[0], here[2], above[1], coin);
        Outflow sent = outflow(here[2], below[2], here[1], here[3], above[2], coin);
        for (int i = 0; i < STRIP_WIDTH; i++) {
            Outflow after = outflow(here[i + 3], below[i + 3], here[i + 2], here[i + 4], above[i + 3], coin);
            ivec2 cell = origin + ivec2(i, row);
            if (row > 0 && cell.x < size.x && cell.y <= size.y)
                imageStore(mass_write, cell - ivec2(0, 1), ivec4(kept[i] + sent.up));
            int total = sent.down + sent.left + sent.right + sent.up;
            kept[i] = here[i + 2] - total + before.right + after.left + falling[i];
            falling[i] = sent.down;
            if (row >= 0 && row < STRIP_HEIGHT && cell.x < size.x && cell.y < size.y) {
                moved_units = add64(moved_units, uvec2(total, 0));
                if (EDGES == EDGES_OPEN)
                    left_units = add64(left_units, uvec2(leaving(sent, cell), 0));
            }
            before = sent;
            sent = after;
        }
        for (int i = 0; i < WINDOW; i++) {
            above[i] = here[i];
            here[i] = below[i];
            below[i] = mass_at(origin + ivec2(i - 2, row + 2));
        }
    }

    if (moved_units != uvec2(0))
        note(CHANGED, origin, origin, size, tick);
    if (substep > 0u)
        moved_units = add64(moved_units, imageLoad(moved, strip).xy);
    imageStore(moved, strip, uvec4(moved_units, 0, 0));
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}
