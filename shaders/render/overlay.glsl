// Maps a quantity to false colour. Solids are grey, and cells without a value have the background colour.
uniform vec2 span;

#ifdef OVERLAY_TEMPERATURE
const float SKY_IN_AIR = 0.35; // share of the background's colour: matter that is as warm as the air is still seen
#endif

vec3 overlay_colour(ivec2 cell, float value)
{
#ifndef IN_SOLIDS
    if (solid_at(cell))
        return vec3(dot(draw_material(cell), vec3(0.2126, 0.7152, 0.0722)) * 0.55 + 0.35);
#endif
    if (value <= NOTHING)
        return sky(cell);
#if defined(CURVE_LOGARITHM)
    float place = log(max(value, span.x) / span.x) / log(span.y / span.x);
#elif defined(CURVE_SQUARE_ROOT)
    float place = sqrt(max(value - span.x, 0.0) / (span.y - span.x));
#else
    float place = (value - span.x) / (span.y - span.x);
#endif
    vec3 colour = load_colour_map(ivec2(clamp(place, 0.0, 1.0) * 255.0 + 0.5, 0)).rgb;
#ifdef OVERLAY_TEMPERATURE
    if (is_air(cell))
        colour = mix(colour, sky(cell), SKY_IN_AIR);
#endif
    return colour;
}
