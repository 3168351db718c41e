// The glow of the matter of a cell.
#include "generated/cell.glsl"
#include "render/glow.glsl"

// The glow of a cell's atom, 0 to 1.
float glow_of(ivec2 cell, uint number)
{
#ifdef WITH_HEAT
    return glow_of_degrees(float(load_temperature(cell)) / float(TEMPERATURE_ONE));
#else
    return glow_of_material(number);
#endif
}
