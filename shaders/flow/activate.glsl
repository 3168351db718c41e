// Tiles that rule flow must visit. Law: a tile sleeps if no mass has moved in it or in the tiles around it for a whole
// tick; then the masses that its outflows depend on are unchanged, and both textures hold the same.
#include "flow/changes.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

// A cell's next mass depends on masses up to two cells away, after two ticks at once up to four. Each of these may have
// been changed by a cell next to it.
bool activate_flow(ivec2 tile) { return changed_near(tile, 5, 1u); }
bool activate_share_heat(ivec2 tile) { return activate_flow(tile); }

// Pass flow has just noted where water has moved. In a tile that share_heat has not visited in this tick no water
// moves, and heat_sent holds the zeros of its last visit.
bool activate_move_heat(ivec2 tile) { return activate_flow(tile); }

// A tile of the rule that moves atoms: a cell of it has changed since the last run, in this tick or the last.
bool activate_walls(ivec2 tile) { return is_since(CHANGED, tile, tick, 1u); }
