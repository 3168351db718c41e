// The state ahead of a strip of a column, from the words in which survey has summed up the strips below.

// The scan of all strips of a line, from one strip on.
Scan surveyed(int line, int strip)
{
    Scan scan = SCAN_NOTHING;
    int strips = size_of_survey().y;
    for (; strip < strips && !scan.known; strip++)
        scan = longer_ahead(scan, scan_from(load_survey(ivec2(line, strip))));
    return scan;
}

Ahead ahead_of_line(int line) { return EDGES == EDGES_WRAP ? seen_through_ring(surveyed(line, 0)) : ahead_of_edge(); }

Ahead ahead_of_strip(int line, int last)
{
    Scan scan = surveyed(line, (last + STRIP - 1) / STRIP);
    return scan.known ? scan.ahead : seen_through(scan, ahead_of_line(line));
}
