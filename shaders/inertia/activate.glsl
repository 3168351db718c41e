// Tiles that rule inertia must visit. Law: a tile sleeps if no mass has moved and no momentum has changed, in it or in
// the tiles around it, for a whole tick; then all that its next state depends on is unchanged.
#include "flow/changes.glsl"
#include "generated/inertia.glsl"

const int LONGEST_AWAKE = TURN; // ticks after the last note

// A state depends on cells up to three cells away. Each of these may have been changed by a cell next to it.
bool activate_move(ivec2 tile) { return changed_near(tile, 4, 1u); }
bool activate_share_heat(ivec2 tile) { return activate_move(tile); }

// As in flow/activate.glsl.
bool activate_move_heat(ivec2 tile) { return activate_move(tile); }

// A tile of rule atoms: a cell of it has changed, or holds a moving atom, in this tick or the last.
bool activate_push(ivec2 tile) { return is_since(CHANGED, tile, tick, 1u); }

// A tile stays awake until all partition offsets have been used. If water could carry powder the pass notes it as a
// change, so the tile stays awake then, too. A block of the tile may begin in the tiles before it.
bool activate_carry(ivec2 tile) { return changed_near(tile, 1, uint(TURN)); }
