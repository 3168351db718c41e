// Records the labels of cells near the left and the right border of the own cells of a part that has not whole rows.
// The file that includes this one defines the functions that have no body here.
#include "lib/domain.glsl"

uint label_near(ivec2 at);
void store_label_at_side(ivec2 place, uint label); // in a scratch over rows

// Record what is near a border of the strip that begins at a place: in the scratch a column of the part is a row.
void see_sides(ivec2 first)
{
    if (!HALO_ACROSS)
        return;
    int rows = min(STRIP_HEIGHT, frame_size(size).y - first.y);
    for (int side = 0; side < 2; side++) {
        int border = side == 0 ? domain_own_columns.x : domain_own_columns.y;
        int line = first.x - border + NEAR_COLUMNS; // the column, among those near this border
        bool is_near = line >= 0 && line < 2 * NEAR_COLUMNS;
        for (int row = 0; row < (is_near ? rows : 0); row++)
            store_label_at_side(ivec2(first.y + row, 2 * NEAR_COLUMNS * side + line),
                                label_near(first + ivec2(0, row)));
    }
}
