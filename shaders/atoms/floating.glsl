// Powder that floats on water by mass as deep as its density says, for weigh and sink. A *stack* is a run of light
// powder in a column, with water by mass below it, and above it an empty cell, or a film of water that is not denser
// than the powder. The pressure of the water below carries the stack. The stack rests where this pressure is that of a
// depth at which the displaced water weighs as much as the stack. Twin: oracle/atoms/floating.py.
#include "atoms/packed.glsl"
#include "atoms/runs.glsl"

#ifdef KEEPS_MOMENTUM
#include "atoms/giving_way.glsl"

const int HEAVIEST = 2 * FULL; // a stack does not sink if a cell of water that makes room holds this or more
const int COUNTED_WATER = WATER_FLOATS_OVER + RUN_MOST; // cells of water below a stack that are counted

// Test for powder at rest that is less dense than the water by mass below it.
bool floats(Weight upper, Weight lower)
{
    bool light = upper.density < OPEN_BELOW && upper.density <= lower.density;
    return is_powder(upper) && is_amount(lower) && light && upper.speed == 0 && WATER_ACCELERATION > 0;
}

int mass_at(ivec2 at) { return load_mass(to_world(inside_world(at, frame_size(size)), size)); }

// The direction in which the stack that ends at a place moves when it floats too deep or not deep enough: -1 up, 1
// down, 0 none. It rises if the water below it has the pressure of a row more than the stack weighs, or of two rows if
// a film lies on it. It sinks if even the second cell of this water has no more pressure than the stack weighs. Under a
// film it does not sink, because it would then sink and rise for ever. It does not move while the water and the matter
// below the water pass each other. At least `cells` cells belong to the stack.
int direction_of_stack(ivec2 at, Weight upper, int cells, int rows)
{
    while (cells < min(RUN_MOST, rows - 1) && is_same_run(weight_at(at - ivec2(0, cells)), upper))
        cells++;
    Weight over = weight_at(at - ivec2(0, cells)), higher = weight_at(at - ivec2(0, cells + 1));
    bool film = is_amount(over) && over.density <= upper.density && higher.material == 0;
    if (cells == RUN_MOST || !(over.material == 0 || film))
        return 0;
    int most = min(COUNTED_WATER, rows - cells - 1), wet = 0, heaviest = 0;
    Weight last = upper, under = weight_at(at + ivec2(0, 1));
    while (wet < most && is_amount(under)) {
        heaviest = wet <= WATER_FLOATS_OVER ? max(heaviest, mass_at(at + ivec2(0, 1 + wet))) : heaviest;
        wet++;
        last = under;
        under = weight_at(at + ivec2(0, 1 + wet));
    }
    if (wet < 2 || (wet < COUNTED_WATER && pass_each_other(last, under)))
        return 0;
    int load = cells * upper.density * WATER_ACCELERATION / (OPEN_BELOW / 2) >> WATER_HEAD_BITS;
    int below = mass_at(at + ivec2(0, 2)), giving = min(wet, WATER_FLOATS_OVER);
    int first = mass_at(at + ivec2(0, 1)) - FULL >> WATER_HEAD_BITS, second = below - FULL >> WATER_HEAD_BITS;
    if (first >= load + (film ? 4 : 2))
        return (giving + 1) * upper.density <= giving * OPEN_BELOW ? -1 : 0;
    return !film && below >= FULL && second <= load && heaviest < HEAVIEST ? 1 : 0;
}

// Test if chance lets the stack that ends at a place sink or rise in this tick.
bool may_float(ivec2 at) { return noise(at, USE_WEIGH).w >> (32 - WATER_FLOATS_BITS) == 0u; }

// Move a stack of `cells` cells, which ends at a place, by a row. If it sinks, `giving` cells of water below share the
// water that it displaces. If it rises, they fill the cell that it leaves. Returns the first and the last row of the
// cells that change, in reverse order if nothing moves.
ivec2 move_stack(ivec2 at, int cells, int direction, int giving)
{
    ivec2 first = at - ivec2(0, direction < 0 ? cells : cells - 1), last = at + ivec2(0, direction < 0 ? 0 : 1);
    ivec2 ahead = ivec2(0, direction), front = direction < 0 ? first : last, back = direction < 0 ? last : first;
    PackedAtom passed = packed_at(front, 0u); // what lies above the stack, or the water below it
    if (!have_room_for_heat(passed.carried, last + ivec2(0, 1), giving))
        return ivec2(last.y, first.y);
    for (int i = 0; i < cells; i++)
        put_packed(front - ahead * i, packed_at(front - ahead * (i + 1), 0u));
    PackedAtom left = PackedAtom(0u, give_way(passed.carried, last + ivec2(0, 1), giving, direction));
    put_packed(back, left);
    return ivec2(first.y, last.y + giving);
}
#else
bool floats(Weight upper, Weight lower) { return false; }
int direction_of_stack(ivec2 at, Weight upper, int cells, int rows) { return 0; }
bool may_float(ivec2 at) { return false; }
#endif
