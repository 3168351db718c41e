// Layout of flow in shared memory: a group owns a tile, the strips of its invocations side by side. The group loads the
// tile and a halo of two cells into shared memory, computes each outflow once, and gathers from there.
#include "flow/around.glsl"

const ivec2 GROUP = ivec2(GROUP_X, GROUP_Y);
const ivec2 STRIP = ivec2(STRIP_WIDTH, STRIP_HEIGHT);
const int LOADED_X = GROUP_X * STRIP_WIDTH + 4, LOADED_Y = GROUP_Y * STRIP_HEIGHT + 4;
const int SENDERS_X = GROUP_X * STRIP_WIDTH + 2, SENDERS_Y = GROUP_Y * STRIP_HEIGHT + 2;

shared int texels[LOADED_Y][LOADED_X]; // begins two cells before the tile
shared int down[SENDERS_Y][SENDERS_X]; // outflows; begin one cell before the tile
shared int left[SENDERS_Y][SENDERS_X];
shared int right[SENDERS_Y][SENDERS_X];
shared int up[SENDERS_Y][SENDERS_X];

void load_texels(ivec2 first)
{
    for (int y = int(gl_LocalInvocationID.y); y < LOADED_Y; y += GROUP_Y)
        for (int x = int(gl_LocalInvocationID.x); x < LOADED_X; x += GROUP_X)
            texels[y][x] = texel_around(first + ivec2(x, y));
}

// `tile` is the place of the tile's first cell.
void find_outflows(ivec2 tile)
{
    bool left_first = first_side(world_tick(tile), substep) == 0;
    for (int y = int(gl_LocalInvocationID.y); y < SENDERS_Y; y += GROUP_Y)
        for (int x = int(gl_LocalInvocationID.x); x < SENDERS_X; x += GROUP_X) {
            int to_left = texels[y + 1][x], to_right = texels[y + 1][x + 2];
            Outflow sent = outflow(texels[y + 1][x + 1], texels[y + 2][x + 1], left_first ? to_left : to_right,
                                   left_first ? to_right : to_left, texels[y][x + 1]);
            down[y][x] = sent.down;
            left[y][x] = left_first ? sent.first : sent.second;
            right[y][x] = left_first ? sent.second : sent.first;
            up[y][x] = sent.up;
        }
}

// The part of the outflow of the cell at (x, y) of the senders, at a place of the frame, that crosses the edge of the
// world.
int leaving(ivec2 at, int x, int y)
{
    ivec2 last = frame_size(size) - 1;
    return (at.y == last.y ? down[y][x] : 0) + (at.x == 0 ? left[y][x] : 0) + (at.x == last.x ? right[y][x] : 0) +
        (at.y == 0 ? up[y][x] : 0);
}

void main()
{
    ivec2 strip = owned_strip();
    ivec2 tile = (strip - ivec2(gl_LocalInvocationID.xy)) * STRIP;
    load_texels(tile - 2);
    barrier();
    find_outflows(tile);
    barrier();
    ivec2 frame = frame_size(size), place = ivec2(gl_LocalInvocationID.xy) * STRIP;
    uvec2 moved_units = uvec2(0), left_units = uvec2(0);
    for (int row = 0; row < STRIP_HEIGHT; row++)
        for (int i = 0; i < STRIP_WIDTH; i++) {
            int x = place.x + i + 1, y = place.y + row + 1;
            ivec2 at = tile + ivec2(x, y) - 1;
            int units = down[y][x] + left[y][x] + right[y][x] + up[y][x];
            int gained = down[y - 1][x] + left[y][x + 1] + right[y][x - 1] + up[y + 1][x];
            if (at.x < frame.x && at.y < frame.y) {
                int texel = texels[y + 1][x + 1], next = texel - units + gained;
                store_mass_texel(to_world(at, size), next);
                int change = seen_change(amount_of_texel(texel), amount_of_texel(next)), counted = own_mask(at.y);
                seen |= change;
                seen_own |= change & counted;
                flowed |= uint(units);
                moved_units = add64(moved_units, uvec2(units & counted, 0));
                if (EDGES == EDGES_OPEN)
                    left_units = add64(left_units, uvec2(leaving(at, x, y) & counted, 0));
            }
        }
    if (tile.x + place.x < frame.x && tile.y + place.y < frame.y)
        report(strip, moved_units, left_units);
}
