#version 430
// Reactions of neighbouring atoms, by the table of reactions. Law: each 2x2 block (Margolus neighbourhood) is changed
// by the invocation that owns it: first its upper two atoms react, then the lower two, then those of the near column
// and of the far one; a coin says which column is near. In a world with water by mass the cells with water react, too:
// an atom takes units of mass from such a cell, or gives units to it or to a dry one. Where a mass becomes an atom, the
// water that is left goes to another cell of the block. Atoms and units of mass made and used up are counted.
// Twin: oracle.reactions.react.
// Source: seed 002, "Fire Physics", "Corrosion Physics"; Toffoli & Margolus 1987, ch. 12.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "reactions/reacting.glsl"

#include "generated/layout.glsl"

// The kinships of a block's four materials.
uvec4 kinship_of(ivec2 at)
{
    uint a = entry_row_around(at), b = entry_row_around(at + ivec2(1, 0));
    uint c = entry_row_around(at + ivec2(0, 1)), d = entry_row_around(at + 1);
    uint column = NUMBERS + uint(KIN);
    return uvec4(entry_of(a, column), entry_of(b, column), entry_of(c, column), entry_of(d, column));
}

// Test, by the kinds of a block's atoms, if two neighbours may react.
bool may_react(uvec4 kin)
{
    uvec4 kind = uvec4(1u) << (kin >> 27); // the bit of its number; unreactive kinds never match
    return ((kin.x | kin.w) & (kind.y | kind.z)) != 0u;
}

// Push a movable atom away from the middle of its block: `direction` is -1 or 1 across and along gravity.
PackedAtom pushed(PackedAtom atom, ivec2 direction, int push)
{
    uint material = material_of(atom.word);
    bool moves = material < NUMBERS && STATE_OF[min(material, NUMBERS - 1u)] >= STATE_POWDER; // false outside the world
    ivec2 velocity = clamp(velocity_of(atom.word) + turned_to_world(direction) * push, -SPEED_LIMIT, SPEED_LIMIT);
    uint word = cell_word(material, velocity, grain_of(atom.word));
    atom.word = moves && push > 0 ? word : atom.word;
    return atom;
}

// The relative place of two cells of a column. Without gravity no cell lies over another.
const int LIES_ALONG = GRAVITY == GRAVITY_OFF ? LIES_BESIDE : LIES_OVER;

// Let the atoms of one block react.
void react_block(ivec2 at)
{
    uvec4 words = noise_of_block(at, uint(USE_REACT));
    int near = int(words.x >> 31), side = 1 - 2 * near; // from the near column to the far one
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    PackedAtom a = reacting_at(left), b = reacting_at(right);
    PackedAtom c = reacting_at(left + down), d = reacting_at(right + down);
    PackedAtom was_a = a, was_b = b, was_c = c, was_d = d;
    uvec4 grains = words.wwww >> uvec4(0, 8, 16, 24) & 0xFFu;
    ivec2 columns = ivec2(own_column_mask(left.x), own_column_mask(right.x));
    ivec4 own = ivec4(columns & own_mask(at.y), columns & own_mask(at.y + 1)); // of the cells a, b, c, d
    int push = react_pair(a, b, c, d, LIES_BESIDE, int(words.y & 0xFFFFu), grains.xy, own.xy);
    push = max(push, react_pair(c, d, a, b, LIES_BESIDE, int(words.y >> 16), grains.zw, own.zw));
    push = max(push, react_pair(a, c, b, d, LIES_ALONG, int(words.z & 0xFFFFu), grains.xz, own.xz));
    push = max(push, react_pair(b, d, a, c, LIES_ALONG, int(words.z >> 16), grains.yw, own.yw));
    a = pushed(a, ivec2(-side, -1), push);
    b = pushed(b, ivec2(side, -1), push);
    c = pushed(c, ivec2(-side, 1), push);
    d = pushed(d, ivec2(side, 1), push);
    put_changed(left, was_a, a);
    put_changed(right, was_b, b);
    put_changed(left + down, was_c, c);
    put_changed(right + down, was_d, d);
    bool changed_here = counted(left, was_a, a);
    changed_here = counted(right, was_b, b) || changed_here;
    changed_here = counted(left + down, was_c, c) || changed_here;
    changed_here = counted(right + down, was_d, d) || changed_here;
    if (changed_here)
        note_changes(CHANGED, at - ivec2(0, MARGIN), at, at + ivec2(0, 1 + MARGIN), ivec2(MARGIN + 1, 0));
}

// The first loop finds the blocks whose kinds can react; most cannot. The second loop works on those: software OpenGL
// runs all lanes as long as any of them has work, so it takes as many iterations as the busiest column has reactive
// blocks. It leaves a loop only at its end: a loop that is tested at its beginning runs its body once more, for no
// lane.
void main()
{
    ivec2 frame = frame_size(size), at = 2 * owned_block();
    ivec2 offset = partition_offset(at, world_tick(at), uint(USE_MEET)), first = at - offset;
    if (!is_block(first, frame))
        return;
    uint reactive = 0u;
    for (int row = 0; row < ROWS_OF_BLOCKS; row++) {
        ivec2 block = first + ivec2(0, 2 * row);
        uvec4 kin = kinship_of(block);
        reactive |= is_block(block, frame) && may_react(kin) ? 1u << row : 0u;
    }
    if (reactive != 0u)
        do {
            int row = findLSB(reactive);
            reactive &= reactive - 1u;
            ivec2 block = first + ivec2(0, 2 * row);
            react_block(block);
            add_event(is_own_block(block));
        } while (reactive != 0u);
    note_outcome(REACTIVE, first + offset);
}
