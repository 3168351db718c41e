#version 430
// Find the sides to which atoms of a liquid that fall freely are drawn by others of their liquid, so that a stream
// stays together and tears in drops. An atom is drawn to the side on which it sees more of the others, and less to a
// side from which these move away. It looks at a few of the cells up to DROP_REACH away, in each turn at others. One
// that lies between two in its column, or touches one in its column and one in its row, is not drawn: so a body of
// liquid falls as it is. Law: there is no chance in it; form_drops.comp changes the velocities.
// Twin: oracle.atoms.find_drops.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/cells.glsl"
#include "atoms/drops.glsl"
#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // rows of a column that one invocation owns

// What an atom that is seen at an offset adds to the pull along both axes. It falls freely if its speed, up or down as
// the sign of `pull` says, is more than `least`.
ivec2 seen_at(ivec2 at, ivec2 offset, Atom atom, int pull, int least)
{
    Atom other = atom_around(at + offset);
    bool counts = other.material == atom.material && (pull < 0 ? -other.velocity.y : other.velocity.y) > least;
    ivec2 drawn = DROP_PULL * sign(offset) + other.velocity - atom.velocity;
    return counts ? drawn : ivec2(0);
}

// The bits of the sides to which an atom is drawn. It looks at two cells or four that lie symmetrically around it.
uint drawn_to(ivec2 at)
{
    Atom atom = atom_at(at);
    int pull = pull_of(atom.material), least = FREE_FALL * abs(pull);
    ivec2 seen = ivec2(0);
    uint looks = DROP_LOOKS[world_tick(at) >> 1 & 3u];
    for (; looks != 0u; looks >>= 8) {
        ivec2 offset = ivec2(looks & 15u, looks >> 4 & 15u), other = ivec2(offset.x, -offset.y);
        seen += seen_at(at, offset, atom, pull, least) + seen_at(at, -offset, atom, pull, least);
        if (offset.x != 0 && offset.y != 0)
            seen += seen_at(at, other, atom, pull, least) + seen_at(at, -other, atom, pull, least);
    }
    return bits_of_side(sign(seen.x)) | bits_of_side(sign(seen.y)) << 2;
}

// Test if a liquid falls freely to the left or to the right of a place.
bool falls_beside(ivec2 at)
{
    return falls_freely(atom_around(at - ivec2(1, 0))) || falls_freely(atom_around(at + ivec2(1, 0)));
}

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP, cells = min(STRIP, frame.y - first);
    if (strip.x >= frame.x || first >= frame.y)
        return;
    uint rows = 0u; // atoms that may be drawn
    uint held = 0u; // atoms that touch one that falls freely above or below
    if (forms_drops(ivec2(strip.x, first))) {
        bool over = falls_freely(atom_around(ivec2(strip.x, first - 1)));
        bool falls = falls_freely(atom_at(ivec2(strip.x, first)));
        for (int i = 0; i < cells; i++) {
            bool under = falls_freely(atom_around(ivec2(strip.x, first + i + 1)));
            rows |= falls && !(over && under) ? 1u << i : 0u;
            held |= over || under ? 1u << i : 0u;
            over = falls;
            falls = under;
        }
    }
    uvec4 drops = uvec4(0u);
    for (; rows != 0u; rows &= rows - 1u) {
        int row = findLSB(rows);
        ivec2 at = ivec2(strip.x, first + row);
        bool still = (held >> row & 1u) != 0u && falls_beside(at);
        if (!still)
            drops[row / ROWS_OF_WORD] |= drawn_to(at) << 4 * (row % ROWS_OF_WORD);
    }
    store_drops(strip, drops);
}
