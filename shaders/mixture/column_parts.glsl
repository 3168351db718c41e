// Layout of sink and rise: a group works on some columns of a listed column of tiles, an invocation on a part of one.
// Each part is summed up as a function of the limit ahead of it, limit -> min(limit + gain, cap). Such functions
// compose, so all parts are scanned at once. Tiles at rest in the column are summed up, too: what falls from them is
// known only after that.
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "mixture/counted_by_groups.glsl"

const int PARTS = GROUP_Y;

shared int gains[LIMITS][PARTS][GROUP_X], caps[LIMITS][PARTS][GROUP_X];
shared int wishes[LAYERS][PARTS][GROUP_X]; // of the foremost cell of each part
#ifdef HAS_WATER_HEAT
// The heat of the last cell of each part, the heat of its foremost cell, and the mass of that cell.
shared int last_heats[PARTS][GROUP_X], heats[PARTS][GROUP_X], masses[PARTS][GROUP_X];
#endif

int own_column() { return int(gl_LocalInvocationID.x); }
int rows_of_part() { return (extent().y + PARTS - 1) / PARTS; }
int parts_used() { return (extent().y + rows_of_part() - 1) / rows_of_part(); }

// Rows of a part in the direction of a scan: the foremost and the last; the part has no cell if it begins past the end.
bool has_cells(int part) { return part >= 0 && part < parts_used(); }

ivec2 rows_of(int part, int direction)
{
    int low = part * rows_of_part(), high = min(low + rows_of_part(), extent().y) - 1;
    return direction == DOWN ? ivec2(high, low) : ivec2(low, high);
}

void sum_up_layer(int column, int part, int layer, int direction)
{
    int gain = 0, cap = UNLIMITED;
    ivec2 rows = rows_of(part, direction);
    for (int row = rows.x; has_cells(part) && row != rows.y - direction; row -= direction)
        add_cell(ivec2(column, row), layer, direction, gain, cap);
    gains[layer][part][own_column()] = gain;
    caps[layer][part][own_column()] = cap;
}

void sum_up(int column, int part, int direction)
{
    for (int layer = 0; layer < LIMITS; layer++)
        sum_up_layer(column, part, layer, direction);
    for (int layer = 0; layer < LAYERS; layer++) {
        ivec2 foremost = ivec2(column, rows_of(part, direction).x);
        wishes[layer][part][own_column()] = has_cells(part) ? wish_of(foremost, layer, direction) : 0;
    }
}

// Note the heat that other parts must know of a part.
void note_heat(int column, int part, int direction)
{
#ifdef HAS_WATER_HEAT
    ivec2 rows = rows_of(part, direction), foremost = ivec2(column, rows.x);
    if (!has_cells(part))
        return;
    heats[part][own_column()] = heat_at(foremost);
    masses[part][own_column()] = mass_at(foremost);
    last_heats[part][own_column()] = heat_at(ivec2(column, rows.y));
#endif
}

// The limit at the front of a column.
int limit_at_edge(int column, int layer, int direction)
{
    if (!RING)
        return limit_at_front(column, layer);
    int gain = 0, cap = UNLIMITED;
    for (int number = 0; number < PARTS; number++) {
        int part = direction == DOWN ? PARTS - 1 - number : number;
        cap = min(caps[layer][part][own_column()], cap + gains[layer][part][own_column()]);
        gain = min(gain + gains[layer][part][own_column()], UNLIMITED);
    }
    return gain > 0 && extent().y > 1 ? cap : 0;
}

int limit_ahead(int column, int part, int layer, int direction)
{
    int units = limit_at_edge(column, layer, direction);
    for (int other = direction == DOWN ? PARTS - 1 : 0; other != part; other -= direction)
        units = min(caps[layer][other][own_column()], units + gains[layer][other][own_column()]);
    return units;
}

// The part that sends units to the last cell of a part; -1 if there is none.
int part_behind(int part, int direction)
{
    int behind = part - direction;
    if (has_cells(behind))
        return behind;
    return RING && extent().y > 1 ? (direction == DOWN ? parts_used() - 1 : 0) : -1;
}

void move_part(int column, int part, int direction)
{
    for (int layer = 0; layer < LIMITS; layer++)
        limit[layer] = limit_ahead(column, part, layer, direction);
    ivec2 rows = rows_of(part, direction), ahead = ivec2(column, rows.x);
    int kept[LAYERS]; // texels of the cell ahead, without what it gets
#ifdef HAS_WATER_HEAT
    int part_ahead = part_behind(part, -direction), kept_heat = 0; // of the cell ahead, likewise
    beyond_front = part_ahead < 0;
    heat_ahead = last_heats[max(part_ahead, 0)][own_column()];
#endif
    int row = rows.x;
    do {
        int begins = row / TILE.y * TILE.y; // of the tile
        int last = direction == DOWN ? max(begins, rows.y) : min(begins + TILE.y - 1, rows.y);
        is_active = is_own_active = false;
        do {
            ivec2 cell = ivec2(column, row);
            send(cell, direction);
            for (int layer = 0; layer < LAYERS; layer++) {
                if (row != rows.x)
                    hold_texel(ahead, layer, direction, kept[layer] + sent[layer]);
                else if (EDGES == EDGES_OPEN && row == (direction == DOWN ? extent().y - 1 : 0))
                    count_left(cell, layer);
                kept[layer] = texels[layer];
            }
#ifdef HAS_WATER_HEAT
            if (row != rows.x)
                put_heat(ahead, kept_heat + heat_given);
            kept_heat = heat_kept;
            heat_ahead = heat_before;
            beyond_front = false;
#endif
            ahead = cell;
            count_many_units();
            row -= direction;
        } while (row != last - direction);
        mark_if_active(ahead);
    } while (row != rows.y - direction);
    int behind = part_behind(part, direction), arrived = 0;
    for (int layer = 0; layer < LAYERS; layer++) {
        int most = limit[EXCLUSIVE != 0 ? 0 : layer];
        int units = behind < 0 ? 0 : min(wishes[layer][behind][own_column()], most);
        hold_texel(ahead, layer, direction, kept[layer] + units);
        arrived += units;
        if (EXCLUSIVE != 0)
            limit[0] -= units;
    }
#ifdef HAS_WATER_HEAT
    int from = max(behind, 0);
    int along = heat_with(heats[from][own_column()], masses[from][own_column()], arrived);
    put_heat(ahead, kept_heat + heat_received(along, heat_ahead));
#endif
}

void scan(int column, int part, int direction)
{
    if (!scans(direction) || !any_moves(direction))
        return;
    bool inside = column < extent().x;
    if (inside) {
        sum_up(column, part, direction);
        note_heat(column, part, direction);
    }
    barrier();
    if (inside && has_cells(part))
        move_part(column, part, direction);
    barrier();
}

void main()
{
    int line = listed(), part = int(gl_LocalInvocationID.y);
    int column = line < 0 ? extent().x : line * TILE.x + group_of_entry() * GROUP_X + own_column();
    scan(column, part, DOWN);
    scan(column, part, UP);
    count_heat();
    count_with_group(moved_units);
}
