// Sum up, in each column of a part of a world, the run that goes on upward from the lowest of its own rows: its cells,
// 1 if the cell above it is empty, the sum of its densities, and its label. The run is one of powder at rest, whose
// label is 0, or one of liquid of one body. Analysis only; see gpufluid/cluster/runs_above.py. The invocation of a
// column's first strip works for the column.
void main()
{
    ivec2 first = owned_strip();
    if (first.x >= frame_size(size).x || first.y > 0)
        return;
    int cells = 0, most = domain_own.y - domain_own.x;
    ivec2 bottom = ivec2(first.x, domain_own.y - 1);
    uint label = label_of_run(bottom), weight = 0u;
    while (cells < most && is_in_run(bottom - ivec2(0, cells), label)) {
        weight += density_at(bottom - ivec2(0, cells));
        cells++;
    }
    ivec2 next = bottom - ivec2(0, cells);
    bool open = cells < most && material_at(to_world(next, size)) == 0u;
    store_sums_of_runs(ivec2(first.x, 0), uvec4(cells, open ? 1u : 0u, weight, label));
}
