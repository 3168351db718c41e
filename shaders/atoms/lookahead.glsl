// What lies ahead of a strip, by looking at the cells there until no more of them can matter.
// For motion that few atoms have at a time; fall, which most have, sums strips up first (survey.comp).

// From index `from` up to, but not including, `to`; behind it may lie what is summed up already.
Scan look(int line, int from, int to, Scan scan)
{
    for (int index = from; index < to && !scan.known; index++)
        scan = longer_ahead(scan, scan_of(step_at(line, index)));
    return scan;
}

Ahead ahead_of_line(int line)
{
    if (EDGES != EDGES_WRAP)
        return ahead_of_edge();
    return seen_through_ring(look(line, 0, line_length(), SCAN_NOTHING));
}

Ahead ahead_of_strip(int line, int last)
{
    Scan scan = look(line, last, line_length(), SCAN_NOTHING);
    return scan.known ? scan.ahead : seen_through(scan, ahead_of_line(line));
}
