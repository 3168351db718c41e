// The bodies of conduct in a world with water by mass, or with a mixture: atoms, water and air. To this file a mixture
// is water that conducts as its largest part does. Heat is in units of water, WATER_HEAT_ONE to a unit of an atom, of
// which an atom gives and gets whole ones.
#include "heat/water_changes.glsl"

const int NO_LIMIT = 0x7FFFFFFF;
const int IS_AIR = 0, IS_WATER = 1, IS_ATOM = 2;

// The properties of a cell that conduction needs.
struct Body {
    uint word; // its warmth
    int kind;
    int temperature;
    int conductivity; // to atoms and water: the part of a difference that is exchanged, in 65536ths
    int surface;      // the conductivity to air
    int capacity;     // the heat, in units of water, that warms it by a unit of temperature, if it is no air
    int mass;         // of its water, or of its parts of a mixture
    int gains, loses; // the most heat that it gets from a warmer body, and gives to a colder one
    uint material;
};

int atoms_air, atoms_water; // heat of atoms, in units of an atom, from the air and from water
int water_air, water_atoms; // heat of water from the air, in units of water, and from atoms, in units of an atom

void begin() { atoms_air = atoms_water = water_air = water_atoms = 0; }

// The temperature of water, beyond that of the air.
int warmer(int heat, int capacity)
{
    int units = abs(heat) / capacity;
    return heat < 0 ? -units : units;
}

// The most heat that water gets or gives: an eighth of what is left of the range of a cell's heat, and a quarter of
// what it can still store toward a change, so that four neighbours together cannot exceed either.
int room_of(WaterChange change, int heat, int mass)
{
    return min((WATER_HEAT_LIMIT - abs(heat)) >> 3, room_before(change, heat, mass) >> 2);
}

// The mass of water, or of all layers of a mixture, in a cell; and the layer with the largest amount, the first of
// several.
ivec2 flowing_in(ivec2 cell)
{
#ifdef OF_MIXTURE
    int mass = 0, most = 0, largest = 0;
    for (int layer = 0; layer < AMOUNT_LAYERS; layer++) {
        int part = load_mixture(cell, layer);
        mass += part;
        largest = part > most ? layer : largest;
        most = max(most, part);
    }
    return ivec2(mass, largest);
#else
    return ivec2(load_mass(cell), 0);
#endif
}

Body body_at(ivec2 at)
{
    ivec2 cell = to_world(inside_world(at, frame), size);
    bool outside = is_outside(at, frame);
    uint material = outside ? 0u : load_material(cell);
    ivec2 flowing = flowing_in(cell);
    int mass = outside || material != 0u ? 0 : flowing.x;
    bool is_water = mass >= CONDUCTS_FROM;
    Body body;
    body.word = load_warmth(cell);
    body.material = material;
    body.kind = material != 0u ? IS_ATOM : is_water ? IS_WATER : IS_AIR;
    int water = of_liquid(AMBIENT + warmer(int(body.word), max(mass >> 10, 1)));
    body.temperature = material != 0u ? temperature_of(body.word) : is_water ? water : AMBIENT;
    body.mass = mass;
    body.gains = is_water ? room_of(BOILING, int(body.word), mass) : NO_LIMIT;
    body.loses = is_water ? room_of(FREEZING, int(body.word), mass) : NO_LIMIT;
    body.capacity = is_water ? min(mass, FULL) >> 10 : WATER_HEAT_ONE;
    uint contacts = outside && EDGES == EDGES_CLOSED ? 0u : is_water ? AMOUNT_CONTACTS[flowing.y] : CONTACTS[material];
    body.conductivity = conductivity_in(contacts);
    body.surface = surface_in(contacts);
    return body;
}

int kind_of(Body body) { return body.kind; }

// The conductivity of a body to another one.
int share(Body own, Body other) { return other.kind != IS_AIR ? own.conductivity : own.surface; }

// Test if water is ready to boil or freeze; `word` is its heat.
bool is_ready_body(Body own, uint word)
{
    return own.kind == IS_WATER && (is_ready(BOILING, int(word), own.mass) || is_ready(FREEZING, int(word), own.mass));
}

// The heat that a body gets from another. If the temperatures differ by less than two units, it is 0. Between atoms,
// and between atoms and air, the law is that of worlds without water. Else it is at most half of what would even out
// the two, and rounded by 16 random bits if one of them is an atom.
int received(Body to, Body from, uint word)
{
    int difference = from.temperature - to.temperature, size = abs(difference);
    int part = (size > 1 ? size : 0) * min(share(to, from), share(from, to));
    bool in_water = to.kind == IS_WATER || from.kind == IS_WATER, with_atom = max(to.kind, from.kind) == IS_ATOM;
    int capacity = min(to.capacity, from.capacity), half_way = size * capacity >> 1; // below 2**25
    int scaled = in_water ? int((uint(part) >> 10) * uint(capacity)) : part;
    int rounded = (scaled + int(word & 0xFFFFu)) >> 16;
    int room = min(TEMPERATURE_MOST - min(to.temperature, from.temperature),
                   max(to.temperature, from.temperature) - TEMPERATURE_LEAST) >>
        2;
    int whole = min(rounded, min(room, in_water ? half_way >> 10 : room)) << 10;
    int fine = min(int((uint(part) >> 8) * uint(capacity) >> 8), half_way);
    int most = difference > 0 ? min(to.gains, from.loses) : min(to.loses, from.gains);
    int heat = min(with_atom ? whole : in_water ? fine : 0, with_atom ? most & ~(WATER_HEAT_ONE - 1) : most);
    exchanged |= with_atom ? (!in_water || min(half_way, most) >= WATER_HEAT_ONE ? scaled : 0) : heat;
    return difference < 0 ? -heat : heat;
}

// The heat that a cell gets from its four neighbours, and what these are.
struct Gains {
    ivec4 heat;
    ivec4 kinds;
};

int sum_of(ivec4 parts) { return parts.x + parts.y + parts.z + parts.w; }
int sum_from(Gains gains, int kind) { return sum_of(gains.heat * ivec4(equal(gains.kinds, ivec4(kind)))); }

// Count what the cells have gained so far, where it is more than `least`.
void count_beyond(int least)
{
    if (abs(water_air) > least) {
        count_air_water_heat(water_air);
        water_air = 0;
    }
    if (abs(water_atoms) > least >> 10) {
        count_atoms_water_heat(water_atoms << 10);
        water_atoms = 0;
    }
}

// The word of a cell after conduction. Counts where its heat comes from, if the world computes it.
uint warmed(Body own, Gains gains, bool is_counted)
{
    int all = sum_of(gains.heat);
    int air = is_counted ? sum_from(gains, IS_AIR) : 0;
    atoms_air += own.kind == IS_ATOM ? air / WATER_HEAT_ONE : 0;
    atoms_water += own.kind == IS_ATOM && is_counted ? sum_from(gains, IS_WATER) / WATER_HEAT_ONE : 0;
    water_air += own.kind == IS_WATER ? air : 0;
    water_atoms += own.kind == IS_WATER && is_counted ? sum_from(gains, IS_ATOM) / WATER_HEAT_ONE : 0;
    count_beyond(1 << 29);
    int after = own.temperature + all / WATER_HEAT_ONE;
    uint atom = (own.word & ~MASK_TEMPERATURE) | (uint(after) << SHIFT_TEMPERATURE & MASK_TEMPERATURE);
    return own.kind == IS_ATOM ? atom : own.kind == IS_WATER ? uint(int(own.word) + all) : own.word;
}

void count_gains()
{
    if (atoms_air != 0)
        count_air_heat(atoms_air);
    if (atoms_water != 0)
        count_water_heat(-atoms_water);
    count_beyond(0);
}
