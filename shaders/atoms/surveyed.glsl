// The state ahead of a strip of a column, from the words in which survey has summed up the strips below. Survey has run
// only in tiles that are awake. In others atoms rest on something, except where free_falling has found that they start
// to fall: these few strips are summed up here.

// The scan of one strip of a line.
Scan scan_of_strip(int line, int strip)
{
    ivec2 tile = ivec2(line / TILE.x, strip);
    bool surveyed = tile_flag(WALKED, tile) == tick, falls = tile_flag(FREED, tile) == tick;
    Scan scan = SCAN_NOTHING;
    if (surveyed)
        scan = scan_from(load_survey(ivec2(line, strip)));
    int first = strip * STRIP, last = surveyed ? first : min(first + STRIP, line_length());
    for (int index = first; index < last && !scan.known; index++) {
        ivec2 at = place(line, index);
        Atom atom = atom_at(at);
        Step falling = step_of(atom, motion_of(atom, at), atom_in_line(line, index + 1));
        scan = longer_ahead(scan, scan_of(falls ? falling : resting_step(line, index)));
    }
    return scan;
}

// The scan of all strips of a line, from one strip on.
Scan surveyed(int line, int strip)
{
    Scan scan = SCAN_NOTHING;
    int strips = size_of_survey().y;
    for (; strip < strips && !scan.known; strip++)
        scan = longer_ahead(scan, scan_of_strip(line, strip));
    return scan;
}

Ahead ahead_of_line(int line) { return RING ? seen_through_ring(surveyed(line, 0)) : ahead_of_edge(line); }

Ahead ahead_of_strip(int line, int last)
{
    Scan scan = surveyed(line, (last + STRIP - 1) / STRIP);
    return scan.known ? scan.ahead : seen_through(scan, ahead_of_line(line));
}
