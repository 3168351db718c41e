// The weight of a place at a distance from another, as that of the normal distribution. The sum of all weights is 1.
float bell(int away, float deviation)
{
    return exp(-0.5 * float(away * away) / (deviation * deviation)) / (2.506628 * deviation);
}
