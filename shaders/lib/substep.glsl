uniform uint substep; // the number of this run of the pass in the tick
