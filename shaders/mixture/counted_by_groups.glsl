// What a group has moved is counted once: all invocations of a world at one word would stand in line.
shared uint group_units;

void count_with_group(uint units)
{
    if (gl_LocalInvocationIndex == 0u)
        group_units = 0u;
    barrier();
    if (units > 0u)
        atomicAdd(group_units, units);
    barrier();
    if (gl_LocalInvocationIndex == 0u && group_units > 0u)
        count_moved(group_units);
}
