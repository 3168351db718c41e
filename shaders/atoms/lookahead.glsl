// The state ahead of a strip, found cell by cell until it is known. For motion that few atoms have at a time; fall,
// which most have, sums up strips first (survey.comp).

// Extend a scan by the cells from index `from` up to, but not including, `to`.
Scan look(int line, int from, int to, Scan scan)
{
    Atom atom = atom_in_line(line, from);
    for (int index = from; index < to && !scan.known; index++) {
        Atom beyond = atom_in_line(line, index + 1);
        scan = longer_ahead(scan, scan_of(step_of(atom, motion_of(atom, place(line, index)), beyond)));
        atom = beyond;
    }
    return scan;
}

// The same for cells of tiles that sleep, and ahead of which all tiles do.
Scan look_at_rest(int line, int from, int to, Scan scan)
{
    for (int index = from; index < to && !scan.known; index++)
        scan = longer_ahead(scan, scan_of(resting_step(line, index)));
    return scan;
}

Ahead ahead_of_line(int line)
{
    if (!RING)
        return ahead_of_edge(line);
    return seen_through_ring(look(line, 0, line_length(), SCAN_NOTHING));
}

Ahead ahead_of_strip(int line, int last)
{
    Scan scan = look(line, last, line_length(), SCAN_NOTHING);
    return scan.known ? scan.ahead : seen_through(scan, ahead_of_line(line));
}
