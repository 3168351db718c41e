// The bids of a surface cell: its levels, to give and to take. The greatest bids of each body win.

// Bid the levels of a cell. Returns which of them may be the best of the body: they were when the cell bid.
bvec2 bid(ivec2 at, ivec2 body)
{
    if (substep > 0u) // in the first round all surfaces are open
        note_cover(at, body);
    uvec2 levels = levels_at(at), best = uvec2(load_highest(body), load_lowest(body));
    if (best.x < levels.x) // a read is cheaper than an atomic operation
        atomic_max_highest(body, levels.x);
    if (best.y < levels.y)
        atomic_max_lowest(body, levels.y);
    return greaterThanEqual(levels, best);
}
