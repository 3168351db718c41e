// The heat of water by mass, or of a mixture, among what a cell carries. Its plane is that of an atom's warmth in other
// cells.

// Units of heat; 0 in a world whose water has no temperature.
int water_heat_of(Carried carried)
{
#ifdef HAS_WATER_HEAT
    return int(carried.warmth);
#else
    return 0;
#endif
}

Carried with_water_heat(Carried carried, int heat)
{
#ifdef HAS_WATER_HEAT
    carried.warmth = uint(heat);
#endif
    return carried;
}
