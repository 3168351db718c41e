// Count the units that a group has moved once for the whole group: if all invocations of a world added to one word,
// they would wait for each other.
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
