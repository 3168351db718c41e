#version 430
// Exchange heat between neighbours. Law: two cells exchange the difference of their temperatures times the lower of
// their conductivities; one cell gets the heat that the other gives. Air has a fixed temperature, and the heat that it
// gives and takes is counted. A material has one conductivity to matter and one to air. Twin: oracle.heat.conduct.
// Source: seed 002, "Fire Physics".
//
// An invocation slides a window of three rows down its columns. An empty cell is air, with a temperature and
// conductivities as any other cell, so that no code here branches on what a cell holds: software OpenGL runs all lanes
// through both sides. In a world with water by mass, or with a mixture, bodies are atoms, air and water; see
// bodies_in_water.glsl.
#include "generated/laws_of_amounts.glsl" // defines HAS_WATER_HEAT
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "heat/places.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int WINDOW = STRIP_WIDTH + 2; // one more column on each side

ivec2 frame;
int exchanged; // not 0 if heat could be exchanged

#ifdef HAS_WATER_HEAT
#include "heat/bodies_in_water.glsl"
#else
// The properties of a cell that conduction needs.
struct Body {
    uint word; // its warmth
    int temperature;
    int conductivity; // to matter: the part of a difference that is exchanged, in 65536ths
    int surface;      // the conductivity to air
    int matter;       // a mask: -1 in matter, 0 in air
    uint material;
};

int gained; // units of heat from the air

void begin() { gained = 0; }

Body body_at(ivec2 at)
{
    ivec2 cell = to_world(inside_world(at, frame), size);
    bool outside = is_outside(at, frame);
    uint material = outside ? 0u : load_material(cell);
    Body body;
    body.word = load_warmth(cell);
    body.material = material;
    body.matter = material == 0u ? 0 : -1;
    body.temperature = material == 0u ? AMBIENT : temperature_of(body.word);
    uint contacts = outside && EDGES == EDGES_CLOSED ? 0u : CONTACTS[material];
    body.conductivity = conductivity_in(contacts);
    body.surface = surface_in(contacts);
    return body;
}

// The conductivity of a body to another one.
int share(Body own, Body other) { return other.matter != 0 ? own.conductivity : own.surface; }

// The heat that a body gets from another, rounded by 16 random bits. If the temperatures differ by less than two units,
// it is 0. It is at most a quarter of the distance to the ends of the temperature range, so that the heat from four
// sides never exceeds the range.
int received(Body to, Body from, uint word)
{
    int difference = from.temperature - to.temperature, size = abs(difference);
    int part = (size > 1 ? size : 0) * min(share(to, from), share(from, to));
    int room = min(TEMPERATURE_MOST - min(to.temperature, from.temperature),
                   max(to.temperature, from.temperature) - TEMPERATURE_LEAST) >>
        2;
    exchanged |= part;
    int units = min((part + int(word & 0xFFFFu)) >> 16, room);
    return difference < 0 ? -units : units;
}

// The heat that a cell gets from its four neighbours.
struct Gains {
    ivec4 heat;
    ivec4 kinds; // the kinds of the neighbours
};

int kind_of(Body body) { return body.matter; }
bool is_ready_body(Body own, uint word) { return false; } // there is no water by mass

// The word of a cell after conduction. Counts what came from the air, in a cell that the world computes.
uint warmed(Body own, Gains gains, bool is_counted)
{
    ivec4 air = gains.heat & ~gains.kinds;
    int after = own.temperature + gains.heat.x + gains.heat.y + gains.heat.z + gains.heat.w;
    uint word = (own.word & ~MASK_TEMPERATURE) | (uint(after) << SHIFT_TEMPERATURE & MASK_TEMPERATURE);
    gained += is_counted ? air.x + air.y + air.z + air.w & own.matter : 0;
    return word & uint(own.matter);
}

void count_gains()
{
    if (gained != 0)
        count_air_heat(gained);
}
#endif

bool past;  // true if an atom may be past a threshold
bool ready; // true if water is ready to boil or freeze
// Not 0 if a cell that the world computes could exchange heat. A halo beside atoms has whole strips, so all columns of
// a patch belong to it, or none.
int exchanged_here;

// Random words for the pairs of a cell with the next cell across (x) and along gravity (y).
uvec4 words_at(ivec2 at) { return noise(inside_ring(at, frame), uint(USE_CONDUCT)); }

void conduct_patch(ivec2 first, int rows)
{
    Body here[WINDOW], below[STRIP_WIDTH];
    int falling[STRIP_WIDTH], above[STRIP_WIDTH]; // heat from the cell above, and the kind of that cell
    for (int i = 0; i < STRIP_WIDTH; i++) {
        ivec2 at = first + ivec2(i, 0), over = at - ivec2(0, 1);
        Body upper = body_at(over);
        below[i] = body_at(at);
        falling[i] = received(below[i], upper, words_at(over).y);
        above[i] = kind_of(upper);
    }
    exchanged_here = exchanged & own_mask(first.y) & own_column_mask(first.x);
    for (int row = 0; row < rows; row++) {
        int y = first.y + row, before = exchanged;
        exchanged = 0;
        here[0] = body_at(ivec2(first.x - 1, y));
        for (int i = 0; i < STRIP_WIDTH; i++)
            here[i + 1] = below[i];
        here[WINDOW - 1] = body_at(ivec2(first.x + STRIP_WIDTH, y));
        int from_left = received(here[1], here[0], words_at(ivec2(first.x - 1, y)).x);
        for (int i = 0; i < STRIP_WIDTH; i++) {
            ivec2 at = first + ivec2(i, row);
            uvec4 words = words_at(at);
            Body own = here[i + 1];
            below[i] = body_at(at + ivec2(0, 1));
            int from_right = received(own, here[i + 2], words.x);
            int from_below = received(own, below[i], words.y);
            ivec4 kinds = ivec4(kind_of(here[i]), kind_of(here[i + 2]), above[i], kind_of(below[i]));
            bool inside = at.x < frame.x;
            uint word =
                warmed(own, Gains(ivec4(from_left, from_right, falling[i], from_below), kinds), inside && is_own(at));
            store_warmth(inside ? to_world(at, size) : ivec2(-1), word);
            past = past || is_past(THRESHOLDS[own.material], word);
            ready = ready || (inside && is_ready_body(own, word));
            from_left = -from_right;
            falling[i] = -from_below;
            above[i] = kind_of(own);
        }
        exchanged_here |= exchanged & own_mask(y) & own_column_mask(first.x);
        exchanged |= before;
    }
}

void main()
{
    frame = frame_size(size);
    ivec2 first = unit() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    exchanged = 0;
    begin();
    past = ready = false;
    conduct_patch(first, min(STRIP_HEIGHT, frame.y - first.y));
    if (exchanged_here != 0)
        mark_active(tick);
    if (exchanged != 0)
        note_warm(first);
    if (past)
        note_past(first);
    if (ready)
        note_ready(first);
    count_gains();
}
