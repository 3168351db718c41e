// How the mass and momentum of a row are loaded and stored: those of four cells at once where the planes lie so that
// this is possible (FOURS), else those of one. Columns are loaded and stored in order.

#ifdef FOURS
const int FOUR = 4;

ivec4 masses, stored_masses;
uvec4 motions, stored_motions;

// Exchange the order of the world and that of gravity's frame.
ivec4 in_order(ivec4 four) { return GRAVITY == GRAVITY_UP ? four.wzyx : four; }
uvec4 in_order(uvec4 four) { return GRAVITY == GRAVITY_UP ? four.wzyx : four; }

int place_in_four(int k) { return k & (FOUR - 1); }

// Load column k: the mass of the cell `below` of the world into `next`, the momentum of `cell` into `word_under`.
void load_texels(int k, ivec2 cell, ivec2 below)
{
    if (k == -STRIP_REACH || place_in_four(k) == 0) {
        masses = in_order(load_four_mass(below));
        motions = in_order(load_four_motion(cell));
    }
    next[k + STRIP_REACH] = masses[place_in_four(k)];
    word_under[k + STRIP_REACH] = motions[place_in_four(k)];
}

void store_texels(int k, ivec2 cell, int mass, uint motion)
{
    stored_masses[place_in_four(k)] = mass;
    stored_motions[place_in_four(k)] = motion;
    if (place_in_four(k) == FOUR - 1) {
        store_four_mass(cell, in_order(stored_masses));
        store_four_motion(cell, in_order(stored_motions));
    }
}

// Store column k of a strip without water: the masses as they are, no momentum. Returns the momentum that was left in
// the cell, or in any of four cells.
uint clear_texels(int k, ivec2 cell)
{
    if (place_in_four(k) != 0)
        return 0u;
    uvec4 left = load_four_motion(cell);
    store_four_mass(cell, load_four_mass(cell));
    store_four_motion(cell, uvec4(0u));
    return left.x | left.y | left.z | left.w;
}

// The number of columns of the window that `water_at` looks at together, from the first one on.
const int LOOKED_AT = FOUR;

// Not 0 if a cell of the world, or another of the same four, holds water.
int water_at(ivec2 cell)
{
    ivec4 four = load_four_mass(cell);
    return mass_of(four.x) | mass_of(four.y) | mass_of(four.z) | mass_of(four.w);
}

// A texel of the line of memory in which a cell lies, of mass and of momentum together.
int any_texel(ivec2 cell) { return amount_of_texel(load_four_mass(cell).x) - int(load_four_motion(cell).x & 1u); }
int any_next_texel(ivec2 cell)
{
    return amount_of_texel(load_next_four_mass(cell).x) - int(load_next_four_motion(cell).x & 1u);
}
#else
void load_texels(int k, ivec2 cell, ivec2 below)
{
    next[k + STRIP_REACH] = load_mass_texel(below);
    if (is_near(k, 2))
        word_under[k + STRIP_REACH] = load_motion(cell);
}

void store_texels(int k, ivec2 cell, int mass, uint motion)
{
    store_mass_texel(cell, mass);
    store_motion(cell, motion);
}

uint clear_texels(int k, ivec2 cell)
{
    store_mass_texel(cell, load_mass_texel(cell));
    store_motion(cell, 0u);
    return load_motion(cell);
}

const int LOOKED_AT = 1;

int water_at(ivec2 cell) { return mass_of(load_mass_texel(cell)); }

int any_texel(ivec2 cell) { return amount_of_texel(load_mass_texel(cell)) - int(load_motion(cell) & 1u); }
int any_next_texel(ivec2 cell)
{
    return amount_of_texel(load_next_mass_texel(cell)) - int(load_next_motion(cell) & 1u);
}
#endif
