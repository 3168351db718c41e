// Counts the heat of a mixture that leaves the world, and the heat that goes to the air.
#include "mixture/heat.glsl"

#ifdef HAS_WATER_HEAT
int left_heat = 0, lost_heat = 0; // heat that left the world, and heat given to the air

// Count what has gone so far, if it is more than `least`.
void count_heat_beyond(int least)
{
    if (abs(left_heat) > least) {
        count_left_water_heat(left_heat);
        left_heat = 0;
    }
    if (abs(lost_heat) > least) {
        count_air_water_heat(-lost_heat);
        lost_heat = 0;
    }
}

void count_heat() { count_heat_beyond(0); }
#else
void count_heat() { }
#endif
