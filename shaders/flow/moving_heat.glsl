// Moves the heat that pass share_heat has computed, after the water has flowed. Law: the heat that a cell sends another
// cell receives, or it leaves the world and is counted; heat that remains in a cell without water goes to the air.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "flow/seen.glsl"
#include "flow/tile_strips.glsl"
#include "lib/domain.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

int left_units = 0, lost_units = 0; // heat that left the world, and heat given to the air
bool warmed = false;                // the heat of a cell has changed
bool warmed_own = false;            // that of a cell that is counted

ivec4 sent_from(ivec2 at)
{
    ivec2 frame = frame_size(size);
    ivec4 sent = ivec4(load_heat_sent(inside_world(at, frame)));
    return is_outside(at, frame) ? ivec4(0) : sent;
}

void count_what_is_gone(int least)
{
    if (abs(left_units) > least) {
        count_left_water_heat(left_units);
        left_units = 0;
    }
    if (abs(lost_units) > least) {
        count_air_water_heat(-lost_units);
        lost_units = 0;
    }
}

void move_heat(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = to_world(at, size), last = frame - 1;
    int texel = load_mass_texel(cell);
    if (is_solid_texel(texel))
        return;
    ivec4 sent = sent_from(at);
    int arrived = sent_from(at - ivec2(1, 0)).x + sent_from(at - ivec2(0, 1)).y + sent_from(at + ivec2(1, 0)).z +
        sent_from(at + ivec2(0, 1)).w;
    bool own = is_own(at);
    if (EDGES == EDGES_OPEN && own) {
        left_units += (at.x == last.x ? sent.x : 0) + (at.y == last.y ? sent.y : 0);
        left_units += (at.x == 0 ? sent.z : 0) + (at.y == 0 ? sent.w : 0);
    }
    int before = int(load_warmth(cell)), heat = before - sent.x - sent.y - sent.z - sent.w + arrived;
    bool dry = amount_of_texel(texel) == 0;
    lost_units += dry && own ? heat : 0;
    heat = dry ? 0 : heat;
    warmed = warmed || heat != before;
    warmed_own = warmed_own || (heat != before && own);
    store_warmth(cell, uint(heat));
    count_what_is_gone(1 << 29);
}

void main()
{
    ivec2 first = owned_strip() * ivec2(STRIP_WIDTH, STRIP_HEIGHT), frame = frame_size(size);
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    ivec2 end = min(first + ivec2(STRIP_WIDTH, STRIP_HEIGHT), frame);
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++)
            move_heat(ivec2(x, y));
    count_what_is_gone(0);
    if (warmed_own)
        mark_active(tick);
    if (warmed) {
        note_latest(tick);
        note_cell(CHANGED, first, frame, tick);
        note_seen(first, end - 1);
    }
}
