// Count the units that a group has moved once for the whole group: if all invocations of a world added to one word,
// they would wait for each other.
#include "lib/wide.glsl"

shared uint group_units[2];

void count_with_group(uint units)
{
    if (gl_LocalInvocationIndex == 0u)
        group_units[0] = group_units[1] = 0u;
    barrier();
    if (units > 0u)
        ATOMIC_ADD64(group_units, 0, uvec2(units, 0u))
    barrier();
    if (gl_LocalInvocationIndex == 0u && (group_units[0] | group_units[1]) != 0u)
        count_moved(uvec2(group_units[0], group_units[1]));
}
