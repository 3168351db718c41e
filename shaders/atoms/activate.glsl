// Tiles that each pass of rule atoms must visit: `activate_<pass>(tile)`. Law: in a tile that is not activated the pass
// would change nothing, whatever chance draws.
#include "generated/tick.glsl"
#include "lib/atom.glsl"
#include "atoms/waking.glsl"

#include "lib/substep.glsl"

#include "atoms/side.glsl"

const int DEPTH_TILES = (max(TOE_DEPTH, ROOF) + TILE.y - 1) / TILE.y;
const int LIFT_TILES = max((LIFT_MOST + TILE.y) / TILE.y, DEPTH_TILES); // up to what lies over the highest lift

const int LONGEST_AWAKE = max(max(SETTLE_PERIOD, SEEK_PERIOD), 1); // ticks after the last note

// Fall takes a tile that is not flagged here for one in which all atoms rest on something.
bool activate_survey(ivec2 tile)
{
    bool awake = all_awake || may_differ(tile);
    if (awake)
        set_tile_flag(WALKED, tile, tick);
    return awake;
}

bool activate_free_falling(ivec2 tile) { return may_differ(tile); }
bool activate_free_rising(ivec2 tile) { return may_differ(tile); }

#ifdef GATHERED
// A pass that writes the other texture visits all tiles in which the two may differ, and those that atoms can enter.
bool activate_fall(ivec2 tile)
{
    return may_differ(tile) || may_differ(tile_beside(tile, ivec2(0, -1))) || tile_flag(FREED, tile) == tick;
}

bool activate_rise(ivec2 tile)
{
    return may_differ(tile) || may_differ(tile_beside(tile, ivec2(0, 1))) || tile_flag(LIFTED, tile) == tick;
}

bool activate_glide(ivec2 tile)
{
    return may_differ(tile) || may_differ(tile_beside(tile, ivec2(-1, 0))) ||
        may_differ(tile_beside(tile, ivec2(1, 0)));
}

// The first blocks of a tile may begin in the tiles before it.
bool any_may_differ(ivec2 tile)
{
    bool found = false;
    for (int place = 0; place < 4; place++)
        found = found || may_differ(tile_beside(tile, -ivec2(place & 1, place >> 1)));
    return found;
}
#else
bool any_may_differ(ivec2 tile) { return false; }

// A supported atom at rest starts to fall only after the cell below it changed; a fall that begins in another tile
// continues into this one by itself.
bool activate_fall(ivec2 tile)
{
    bool awake = is_since(CHANGED, tile, tick, 1u);
    if (awake)
        set_tile_flag(WALKED, tile, tick);
    return awake;
}

// In a tile that fall has visited, fall has noted whether an atom may rise. In a tile in which atoms have only landed,
// any atom may rise.
bool activate_rise(ivec2 tile)
{
    return tile_flag(RISING, tile) == tick || (tile_flag(CHANGED, tile) == tick && tile_flag(WALKED, tile) != tick);
}

bool activate_glide(ivec2 tile) { return tile_flag(GLIDING, tile) == tick; }
#endif

// A tile stays awake until all partition offsets have been used.
bool activate_settle(ivec2 tile)
{
    uint ticks = uint(SETTLE_PERIOD);
    return has_changed(tile, ticks) || is_since(UNSETTLED, tile, tick, ticks) || any_may_differ(tile);
}

// Where runs of a column begin was found when the tile was last awake, and sink may still read it.
bool activate_weigh(ivec2 tile) { return is_since(CHANGED, tile, tick, 1u) || is_since(SINKING, tile, tick, 1u); }

// find_run_ends has noted in which tiles an elastic atom moves, and in which a liquid falls freely.
bool activate_touch(ivec2 tile) { return tile_flag(BODIES, tile) == tick; }
bool activate_find_drops(ivec2 tile) { return tile_flag(DROPS, tile) == tick; }

#ifdef TESTS_TILES
// Test if no other tile has the same flags: another group notes its rows in them at the same time. Rows that stay noted
// without need cost time, and change nothing.
bool may_clear(ivec2 tile)
{
    ivec2 whole = tile_grid - 1, rest = frame_size(size) % TILE;
    bvec2 shares =
        bvec2(rest.x != 0 && (tile.x == 0 || tile.x == whole.x), rest.y != 0 && (tile.y == 0 || tile.y == whole.y));
    return EDGES != EDGES_WRAP || !any(shares);
}
#else
bool may_clear(ivec2 tile) { return true; }
#endif

bool activate_find_run_ends(ivec2 tile)
{
    bool awake = has_changed(tile, 1u);
    if (awake && may_clear(tile))
        set_tile_flag(RUN_ENDS, tile, 0u);
    return awake;
}

// The rows of tile row `row` in which a run of fluid ends before a hole, in the tiles with columns `low` to `high`: one
// bit each.
uint rows_with_run_ends(int row, int low, int high)
{
    uint rows = 0u;
    for (int x = low / TILE.x; x <= high / TILE.x; x++)
        rows |= tile_flag(RUN_ENDS, ivec2(x, row));
    return rows;
}

// Test if something has changed in the tiles with columns `low` to `high`, in the rows of tiles from LIFT_TILES above a
// tile to DEPTH_TILES below it. Of a group that tests its own tile each invocation looks at a part of these tiles. In
// one loop, not two: a GPU's driver has dropped the second of two nested loops.
bool any_changed(ivec2 tile, int low, int high)
{
    int cells = frame_size(size).x;
    bool around = EDGES == EDGES_WRAP && (low < 0 || high >= cells), found = false;
    int first = around ? 0 : max(low, 0) / TILE.x, last = around ? tile_grid.x - 1 : min(high, cells - 1) / TILE.x;
#ifdef TESTS_TILES
    int across = last - first + 1, all = across * (LIFT_TILES + DEPTH_TILES + 1);
    for (int i = int(gl_LocalInvocationIndex); i < all && !found; i += GROUP_X * GROUP_Y) {
        int row = tile_beside(tile, ivec2(0, i / across - LIFT_TILES)).y;
        found = has_changed(ivec2(first + i % across, row), uint(SEEK_PERIOD));
    }
#else
    int x = first, y = -LIFT_TILES; // counted, because software OpenGL divides lane by lane
    do {
        found = has_changed(ivec2(x, tile_beside(tile, ivec2(0, y)).y), uint(SEEK_PERIOD));
        y += x < last ? 0 : 1;
        x = x < last ? x + 1 : first;
    } while (y <= DEPTH_TILES && !found);
#endif
    return found;
}

// Returns the pairs of rows of which one has a run that may spread, one bit each; 0 if this invocation has found no
// change. Tiles are counted as in cpu/tile_segments.glsl. If the end of a run may flow depends on cells above and below
// it, and over the columns of heads. A head lies at most the longer of the two reaches behind the end of its run, the
// run to which another gathers less than GATHER before it.
uint activate_seek(ivec2 tile)
{
    pick_side(tile * TILE);
    int cells = frame_size(size).x;
    int first = tile.x * TILE.x - segment_lead(), low = max(first, 0), high = min(first + TILE.x, cells) - 1;
    if (low > high)
        return 0u;
    int reach = min(max(REACH_OPEN, REACH_FLUID), cells - 1) + 1;
    ivec2 own = side > 0 ? ivec2(low, high) : cells - 1 - ivec2(high, low);
    ivec2 searched = side > 0 ? ivec2(own.x - reach, own.y + GATHER) : ivec2(own.x - GATHER, own.y + reach);
    uint rows = rows_with_run_ends(tile.y, own.x, own.y) >> row_parity(tile * TILE) & 0x55555555u;
    bool changed = rows != 0u && any_changed(tile, searched.x, searched.y);
    uint pairs = 0u;
    for (int i = 0; i < TILE.y / 2; i++)
        pairs |= (rows >> 2 * i & 1u) << i;
    return changed ? pairs : 0u;
}
