// The run of a column that begins in the row above the own rows of a part of a world: cells of powder at rest, or of
// liquid of one body. gpufluid/cluster/runs_above.py stores it in scratch `highest`, below the sets.
#include "lib/domain.glsl"
#include "pressure/bodies.glsl"

struct Run {
    int cells;
    bool open;   // the cell above the run is empty
    uint weight; // the sum of the densities of powder
    uint label;  // of the liquid; 0: powder
};

// Test if a row lies above the rows that the world computes; never in a whole world.
bool is_above_own(int row) { return HAS_HALO && row < domain_own.x; }

#ifdef KNOWS_ABOVE
uint word_of_run(int column, int number)
{
    return load_highest(ivec2(column, frame_size(size).y + set_rows() + number));
}

Run run_above(int column)
{
    uint word = word_of_run(column, 0);
    return Run(int(word >> 1), (word & 1u) != 0u, word_of_run(column, 1), word_of_run(column, 2));
}
#endif
