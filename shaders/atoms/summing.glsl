// Sums of the stretches of lines, shared by sum_falling, sum_rising and sum_gliding: the scan of a stretch as one word,
// and the word of the cell at its back. A scan ends where nothing farther ahead counts: mostly after a few cells, in a
// pile that is awake at the floor.
// gpufluid/cluster/columns.py joins the sums. The including file defines the functions that have no body in line.glsl.
#include "generated/unit.glsl"
#include "atoms/line.glsl"
#include "atoms/lookahead.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void prepare(int line); // before anything else
bool is_reversed();     // true if the index decreases as the frame's coordinate grows

// A stretch of a line by its number, as rules/passes.py describes it; 0: there is none.
uint stretch_at(int line, int number)
{
    uvec2 found = number * STRIP < line_length() ? load_stretches(ivec2(line, number)).xy : uvec2(0u);
    return is_reversed() ? found.y : found.x;
}

// Test if the atoms of a column's strip may be in motion, or begin to move by themselves; see activate.glsl.
bool is_awake(int line, int strip)
{
#ifdef TILED
    ivec2 tile = tile_with(ivec2(line, strip * STRIP), frame_size(size));
    return all_awake || may_differ(tile);
#else
    return true;
#endif
}

// Of the strips of a stretch, counted from its back: those up to the foremost one that is awake. Those ahead of it rest
// if the world ends there; else what lies ahead may move, and make room.
int strips_awake(int line, int strip, int strips, bool is_last)
{
    if (ACROSS || !is_last)
        return strips;
    int found = strips;
    while (found > 0 && !is_awake(line, is_reversed() ? strip - found + 1 : strip + found - 1))
        found--;
    return found;
}

// Sum up a stretch.
uvec2 sum_of(int line, uint stretch)
{
    int strip = int(stretch & 0xFFFFu), strips = int(stretch >> 16);
    int length = line_length(), back = (is_reversed() ? strip + 1 : strip) * STRIP;
    int from = is_reversed() ? max(length - back, 0) : back;
    int to = min(is_reversed() ? length - (strip + 1 - strips) * STRIP : back + strips * STRIP, length);
    int awake = strips_awake(line, strip, strips, EDGES != EDGES_WRAP && to == length);
    int from_rest = is_reversed() ? length - (strip + 1 - awake) * STRIP : back + awake * STRIP;
    Scan scan = look(line, from, min(from_rest, to), SCAN_NOTHING);
    uint word = scan_word(look_at_rest(line, max(from_rest, from), to, scan));
    return uvec2(word, word_of(atom_in_line(line, from)));
}

void main()
{
    int line = unit().x;
    if (line >= line_count())
        return;
    prepare(line); // first, because it can pick the direction of the line
    uint stretch = stretch_at(line, 0);
    for (int number = 0; stretch != 0u; number++) {
        store_sums(ivec2(line, number), sum_of(line, stretch));
        stretch = stretch_at(line, number + 1);
    }
}
