// Layout of sink and rise: a group works on one listed column of tiles, an invocation on a column of cells, from its
// front to its back. Sleeping tiles are skipped: nothing in them can move before the cell ahead of them makes room.
// Stores here are unconditional: on software OpenGL a store that only some lanes make costs ten times one that all
// make.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

int kept[LAYERS];        // texels of the cell ahead, without what it gets
int across_seam[LAYERS]; // the units that the front of a ring sends to its back
#ifdef HAS_WATER_HEAT
int kept_heat;        // of the cell ahead, without what it gets
int heat_across_seam; // the heat that goes along with the units across the seam
#endif

int words_along() { return (tile_grid.y + 31) >> 5; }
int front_row(int direction) { return direction == DOWN ? extent().y - 1 : 0; }

int next_awake(int line, int tile, int direction)
{
    return direction == DOWN ? awake_up_to(line, words_along(), tile)
                             : awake_from(line, words_along(), tile_grid.y, tile);
}

// The limit at the front of a ring: what its back can take after it has sent on what it can.
int ring_limit(int column, int layer, int direction)
{
    int gain = 0, cap = UNLIMITED;
    for (int row = 0; row < extent().y && gain < cap; row++) {
        ivec2 cell = ivec2(column, direction == DOWN ? row : extent().y - 1 - row);
        int wish = wish_of(cell, layer, direction);
        if (EXCLUSIVE != 0) {
            wish = 0;
            for (int other = 0; other < LAYERS; other++)
                wish += wish_of(cell, other, direction);
        }
        int room = room_behind(cell, layer, texel_at(cell, layer));
        cap = min(cap, wish + room + gain);
        gain += room;
    }
    return gain > 0 && extent().y > 1 ? cap : 0;
}

void begin_layer(ivec2 cell, int layer, int direction)
{
    if (speed_of(layer, direction) == 0)
        return;
    bool edge = cell.y == front_row(direction);
    int texel = texel_at(edge ? cell : cell + ivec2(0, direction), layer);
    int at_edge = limit_at_front(cell.x, layer);
    if (RING && edge)
        at_edge = ring_limit(cell.x, layer, direction);
    kept[layer] = texel;
    set_limit(layer, edge ? at_edge : room_behind(cell + ivec2(0, direction), layer, texel));
}

void begin_heat(ivec2 cell, int direction)
{
#ifdef HAS_WATER_HEAT
    bool edge = cell.y == front_row(direction);
    kept_heat = heat_at(edge ? cell : cell + ivec2(0, direction));
    beyond_front = edge && !RING;
    heat_ahead = edge ? heat_at(ivec2(cell.x, front_row(-direction))) : kept_heat;
#endif
}

// Begin a scan at a cell: the cell ahead of it, if there is one, sends nothing on.
void begin(ivec2 cell, int direction)
{
#define BEGIN(LAYER) begin_layer(cell, LAYER, direction)
    EACH_LAYER(BEGIN);
    begin_heat(cell, direction);
}

bool is_freed(ivec2 cell, int layer, int direction)
{
    int most = min(free_at(cell, layer), speed_of(layer, direction));
    return most > 0 && limit[EXCLUSIVE != 0 ? 0 : layer] > 0;
}

// Test if a cell could send any units on.
bool is_freed(ivec2 cell, int direction)
{
    bool found = false;
#define FREED(LAYER) found = is_freed(cell, LAYER, direction) || found
    EACH_LAYER(FREED);
    return found;
}

void pass_on(ivec2 cell, int layer, int direction)
{
    bool edge = cell.y == front_row(direction);
    hold_texel(edge ? cell : cell + ivec2(0, direction), layer, direction,
               kept[layer] + sent[layer]); // at an edge: soon replaced
    if (EDGES == EDGES_OPEN && edge)
        count_left(cell, layer);
    if (RING && edge)
        across_seam[layer] = sent[layer];
    kept[layer] = texels[layer];
}

void pass_heat_on(ivec2 cell, int direction)
{
#ifdef HAS_WATER_HEAT
    bool edge = cell.y == front_row(direction);
    put_heat(edge ? cell : cell + ivec2(0, direction), kept_heat + heat_given); // at an edge: soon replaced
    if (RING && edge)
        heat_across_seam = heat_given;
    kept_heat = heat_kept;
    heat_ahead = heat_before;
    beyond_front = false;
#endif
}

void end_heat(ivec2 end)
{
#ifdef HAS_WATER_HEAT
    put_heat(end, kept_heat);
#endif
}

void end_layer(ivec2 end, int layer, int direction) { hold_texel(end, layer, direction, kept[layer]); }

void cross_seam(ivec2 back, int layer, int direction)
{
    if (across_seam[layer] > 0)
        put_texel(back, layer, texel_at(back, layer) + across_seam[layer]);
}

void take_heat_across_seam(ivec2 back)
{
#ifdef HAS_WATER_HEAT
    if (heat_across_seam != 0)
        put_heat(back, heat_at(back) + heat_across_seam);
#endif
}

void walk(int line, int column, int direction)
{
    if (!scans(direction) || !any_moves(direction))
        return;
    for (int layer = 0; layer < LAYERS; layer++)
        across_seam[layer] = 0;
#ifdef HAS_WATER_HEAT
    heat_across_seam = 0;
#endif
    int bottom = (extent().y - 1) / TILE.y; // the last tile with cells
    int front = direction == DOWN ? bottom : 0;
    int tile = next_awake(line, front, direction), behind = -1; // behind: the tile behind the last one
    if ((RING || HAS_HALO) && tile >= 0 && tile != front) {
        ivec2 cell = ivec2(column, front_row(direction));
        begin(cell, direction);
        tile = is_freed(cell, direction) ? front : tile;
    }
    while (tile >= 0 && tile <= bottom) {
        int low = tile * TILE.y, high = min(low + TILE.y, extent().y) - 1;
        int row = direction == DOWN ? high : low, last = direction == DOWN ? low : high;
        if (tile != behind)
            begin(ivec2(column, row), direction);
        is_active = is_own_active = false;
        for (; row != last - direction; row -= direction) {
            ivec2 cell = ivec2(column, row);
            send(cell, direction);
#define PASS_ON(LAYER) pass_on(cell, LAYER, direction)
            EACH_LAYER(PASS_ON);
            pass_heat_on(cell, direction);
        }
        ivec2 end = ivec2(column, last);
#define END(LAYER) end_layer(end, LAYER, direction)
        EACH_LAYER(END);
        end_heat(end);
        mark_if_active(end);
        count_many_units();
        behind = tile - direction;
        bool inside = behind >= 0 && behind <= bottom;
        tile = inside && is_freed(end - ivec2(0, direction), direction) ? behind : next_awake(line, behind, direction);
    }
    if (RING) {
        ivec2 back = ivec2(column, front_row(-direction));
#define CROSS(LAYER) cross_seam(back, LAYER, direction)
        EACH_LAYER(CROSS);
        take_heat_across_seam(back);
    }
}

void main()
{
    int line = listed();
    int column = line * TILE.x + int(gl_LocalInvocationID.x);
    if (line < 0 || column >= extent().x)
        return;
    walk(line, column, DOWN);
    walk(line, column, UP);
    count_heat();
    if (moved_units > 0u)
        count_moved(moved_units);
}
