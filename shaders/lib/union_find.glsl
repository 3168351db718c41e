// Union-find. Law: the link of a node leads to a node of the same set with a smaller number, or to the node itself;
// then the node is the root. Links are only ever lowered, and an invocation that lowers a link merges the node that it
// led to with the node that it leads to now. So in the end all nodes of a set lead to one root, the smallest number
// among them, whatever the order of work. A link that is read late is an older one, which leads to the same set.
// Source: Playne & Hawick 2018, "A New Algorithm for Parallel Connected-Component Labelling on GPUs".
// The file that includes this one defines the functions that have no body here.

uint link_of(uint node);
uint lower_link(uint node, uint link); // atomically, where the link is larger; returns the link before

// The root of a node. Links on the way are shortened by half.
uint root_of(uint node)
{
    uint next = link_of(node);
    while (next != node) {
        uint farther = link_of(next);
        if (farther != next)
            lower_link(node, farther);
        node = farther;
        next = link_of(node);
    }
    return node;
}

// Merge the sets of two nodes.
void merge(uint one, uint other)
{
    one = root_of(one);
    other = root_of(other);
    while (one != other) {
        uint first = min(one, other), second = max(one, other);
        uint before = lower_link(second, first);
        // Where another invocation has linked `second` meanwhile, the node that it led to is merged with `first`.
        one = first;
        other = before == second ? first : root_of(before);
    }
}
