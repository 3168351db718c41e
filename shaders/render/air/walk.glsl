// Sums the air along an axis, weighted by nearness, but not past an edge of what stands in the way.
#include "render/air/bell.glsl"
#include "render/air/texels.glsl"

uniform ivec2 air_size; // texels of the image that are used

const int REACH = 3;          // texels
const float BLUR = 1.3;       // standard deviation, in texels
const float EDGE = 0.5;       // difference of the open shares of two texels between which nothing passes
const float LEAST_OPEN = 0.2; // share of open cells below which a cloud between walls is drawn thinner

// Density of gas where cells are open: it does not fall towards a wall.
float density_of(Air air) { return air.smoke.a / max(air.open, LEAST_OPEN); }

void add(Air found, float weight, inout Air sum)
{
    sum.smoke += weight * found.smoke;
    sum.glow += weight * found.glow;
    sum.open += weight * found.open;
}

// The sum of the air along an axis, (1, 0) or (0, 1); slope: how much the density grows by a texel along the axis.
Air air_along(ivec2 axis, ivec2 texel, out float slope)
{
    Air own = air_of_texel(load_sharp(texel)), sum = NO_AIR;
    sum.cells = own.cells;
    add(own, bell(0, BLUR), sum);
    slope = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        float passed = 1.0, before = own.open;
        for (int away = 1; away <= REACH; away++) {
            ivec2 other = texel + side * away * axis;
            if (any(lessThan(other, ivec2(0))) || any(greaterThanEqual(other, air_size)))
                break;
            Air found = air_of_texel(load_sharp(other));
            passed *= 1.0 - smoothstep(0.1, EDGE, abs(found.open - before));
            before = found.open;
            float weight = bell(away, BLUR) * passed;
            add(found, weight, sum);
            slope += float(side * away) / (BLUR * BLUR) * weight * (density_of(found) - density_of(own));
        }
    }
    return sum;
}
