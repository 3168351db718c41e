// Which tiles rule heat must look at. A tile rests when nothing could be exchanged in it, or beside it, in the last
// tick, and rule atoms has moved nothing there since: then conduct would change nothing, transition has left it as it
// is, and both textures hold the same.
#include "generated/tick.glsl"
#include "heat/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted
#define LATEST_NOTED latest_of_both()

uint latest_of_both()
{
    return tick - latest() < tick - atoms_tiles[ATOMS_LATEST] ? latest() : atoms_tiles[ATOMS_LATEST];
}

bool is_atoms_since(int layer, ivec2 tile) { return tick - atoms_tiles[place_of_atoms_stamp(layer, tile)] <= 1u; }

// The number of a tile next to another along one axis: on a torus they close around, elsewhere the last is its own.
int beside(int tile, int way, int cells, int tiles_along, int cells_in_tile)
{
    int next = tile + way, last = (cells - 1) / cells_in_tile;
    if (EDGES == EDGES_WRAP)
        return next < 0 ? last : (next > last ? 0 : next);
    return clamp(next, 0, tiles_along - 1);
}

bool rouse_conduct(ivec2 tile)
{
    ivec2 cells = frame_size(size);
    bool awake = is_atoms_since(ATOMS_CHANGED, tile) || is_atoms_since(ATOMS_EXCHANGED, tile);
    for (int way = -1; way <= 1; way++) {
        int x = beside(tile.x, way, cells.x, tile_grid.x, TILE.x),
            y = beside(tile.y, way, cells.y, tile_grid.y, TILE.y);
        awake = awake || is_since(WARM, ivec2(x, tile.y), tick, 1u) || is_since(WARM, ivec2(tile.x, y), tick, 1u);
    }
    return awake;
}

// Conduct has just been wherever anything could be past a threshold.
bool rouse_transition(ivec2 tile) { return stamp(PAST, tile) == tick; }
