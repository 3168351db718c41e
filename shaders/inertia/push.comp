#version 430
// The speed at each face after pressure, weight and drag. Law: a difference of pressure drives water to the lower
// pressure; what carries no weight falls. A speed that nothing drives becomes 0. Twin: oracle.inertia.push.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "inertia/water.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

int head_at(ivec2 cell)
{
    return load_head(EDGES == EDGES_WRAP ? inside_world(cell, size) : cell); // 0 beyond the world
}

int weight_of(int mass) { return ACCELERATION * (min(mass, FULL) >> 6) >> 14; }

// The pressure that drives water to the side: at the surface, the weight of the water that is carried from below.
int side_head(int head, int mass, int below, bool on_solid)
{
    int weight = weight_of(mass);
    return head + (on_solid ? weight : min(weight, below));
}

int slowed(int speed, bool pressed)
{
    int magnitude = abs(speed);
    magnitude -= pressed ? (magnitude >> 2) * DRAG >> 10 : 0;
    magnitude = min(max(magnitude - FRICTION, 0), pressed ? FASTEST_PRESSED : FASTEST);
    return with_sign(magnitude < NOTICED ? 0 : magnitude, speed);
}

// Returns true if a speed has changed.
bool push_cell(ivec2 cell)
{
    int texel = texel_around(cell), to_right = texel_around(cell + ivec2(1, 0)),
        under = texel_around(cell + ivec2(0, 1));
    bool floor_here = is_solid_texel(under), floor_right = is_solid_texel(texel_around(cell + ivec2(1, 1)));
    int mass = free_of_texel(texel), next = free_of_texel(to_right), lower = free_of_texel(under);
    int head = head_at(cell), head_right = head_at(cell + ivec2(1, 0)), below = head_at(cell + ivec2(0, 1));
    bool solid = is_solid_texel(texel);

    int old = speed_right_at(cell);
    int drive = side_head(head, mass, below, floor_here) -
        side_head(head_right, next, head_at(cell + ivec2(1, 1)), floor_right);
    int right = slowed(old + drive, head > 0 || head_right > 0 || floor_here || floor_right);
    if (right > 0 && mass <= DRY)
        right = max(speed_right_at(cell + ivec2(1, 0)), 0);
    if (right < 0 && next <= DRY)
        right = min(speed_right_at(cell - ivec2(1, 0)), 0);
    if (solid || is_solid_texel(to_right) || (mass <= DRY && next <= DRY) ||
        (EDGES != EDGES_WRAP && cell.x == size.x - 1))
        right = 0;
    store_speed_right(cell, right);

    int hung = min(FULL, min(mass, FULL) + max(FULL - lower, 0));
    int down = slowed(speed_down_at(cell) + weight_of(hung) - (below - head), head > 0 || below > 0);
    if (down > 0 && (lower > DRY || mass <= DRY)) {
        int own = mass <= DRY ? 0 : (mass > FULL / 8 ? FULL : FULL / 16 + 8 * min(mass, FULL));
        down = min(down, max(speed_down_at(cell + ivec2(0, 1)), 0) + own);
    }
    if (down < 0 && lower <= DRY)
        down = min(speed_down_at(cell - ivec2(0, 1)), 0);
    if (solid || floor_here || (mass <= DRY && lower <= DRY) || (EDGES != EDGES_WRAP && cell.y == size.y - 1))
        down = 0;
    store_speed_down(cell, down);
    return right != load_speed_right(cell) || down != load_speed_down(cell);
}

void main()
{
    ivec2 first = owned_strip() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    bool changes = false;
    for (int y = first.y; y < min(first.y + STRIP_HEIGHT, size.y); y++)
        for (int x = first.x; x < min(first.x + STRIP_WIDTH, size.x); x++) {
            bool changed_here = push_cell(ivec2(x, y));
            changes = changes || changed_here;
        }
    if (changes) {
        mark_active(tick);
        note_strip(first);
    }
}
