// Union-find in an image. Law: a cell's link leads to a cell of the same body with a smaller label, or to itself; links
// are only ever lowered, and whoever lowers one sees to it that what it led to is united with what it leads to now. So
// in the end one first cell is reached from all of a body, whatever the order of work; it has the smallest label.
// A link that is read late is an older one, which leads there too.
// Source: Playne & Hawick 2018, "A New Algorithm for Parallel Connected-Component Labelling on GPUs".
#include "pressure/labelled.glsl"

// The end of the links from a cell on. Links on the way are shortened by half.
uint end_of_links(uint label)
{
    uint next = label_at(place_of_label(label));
    while (next != label) {
        uint farther = label_at(place_of_label(next));
        if (farther != next)
            atomic_min_labels(place_of_label(label), farther);
        label = farther;
        next = label_at(place_of_label(label));
    }
    return label;
}

// Let two cells be of one body.
void unite(uint one, uint other)
{
    one = end_of_links(one);
    other = end_of_links(other);
    while (one != other) {
        uint first = min(one, other), second = max(one, other);
        uint before = atomic_min_labels(place_of_label(second), first);
        // Where another has linked it meanwhile, what it was linked to is to be united with the first.
        one = first;
        other = before == second ? first : end_of_links(before);
    }
}
