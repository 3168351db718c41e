// Water by mass that gives way to what moves in a column by a row. Cells below share the water that it displaces if it
// moves down, and fill the cell that it leaves if it moves up. Twin: oracle.atoms.floating.give_way.
#include "atoms/packed.glsl"
#include "lib/water_heat.glsl"

// A part of a number, rounded toward zero.
int part_of(int number, int parts) { return number < 0 ? -(-number / parts) : number / parts; }

// The part of a number that cell `index` gets if `parts` cells share the number; the first cells also share the
// remainder.
int share_of(int number, int index, int parts)
{
    int more = abs(number) - abs(part_of(number, parts)) * parts;
    return part_of(number, parts) + (index < more ? sign(number) : 0);
}

// Test if water has at most half of the heat that a cell can hold. Where all of it has, no cell can get too much.
bool has_room_for_heat(Carried water) { return abs(water_heat_of(water)) <= WATER_HEAT_LIMIT / 2; }

// Test if the water that moves, and that of `giving` cells from `first` on down, have room for each other's heat.
bool have_room_for_heat(Carried moved, ivec2 first, int giving)
{
    bool have = has_room_for_heat(moved);
#ifdef HAS_WATER_HEAT
    for (int i = 0; i < giving; i++)
        have = have && has_room_for_heat(packed_at(first + ivec2(0, i), 0u).carried);
#endif
    return have;
}

// Let `giving` cells of water, from `first` on down, share the water `passed` that is displaced (direction 1), or each
// give a share of their own (-1). Returns what the cell that is left holds then.
Carried give_way(Carried passed, ivec2 first, int giving, int direction)
{
    Carried left = passed;
    for (int i = 0; i < giving; i++) {
        ivec2 place = first + ivec2(0, i);
        PackedAtom water = packed_at(place, 0u);
        int mass = direction < 0 ? -part_of(water.carried.mass, giving + 1) : share_of(passed.mass, i, giving);
        water.carried.mass += mass;
        left.mass -= mass;
        int own = water_heat_of(water.carried);
        int heat = direction < 0 ? -part_of(own, giving + 1) : share_of(water_heat_of(passed), i, giving);
        water.carried = with_water_heat(water.carried, own + heat);
        left = with_water_heat(left, water_heat_of(left) - heat);
        put_packed(place, water);
    }
    return left;
}
