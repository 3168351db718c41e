// Update the marks of each amount: of cells that no amount can enter, which are solids and, in a world with rule atoms,
// all atoms; and of amounts that atoms have displaced. Law: no amount changes. The passes work in the tiles of rule
// atoms, and note in the tiles of rule mixture what they have changed.
#include "generated/materials.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/amounts.glsl" // defines BESIDE_ATOMS in a world with atoms
#include "mixture/cells.glsl"
#include "generated/unit.glsl"
#include "lib/other_tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

bool is_obstacle(uint material)
{
#ifdef BESIDE_ATOMS
    return material != 0u;
#else
    return STATE_OF[material] == STATE_SOLID;
#endif
}

void main()
{
    ivec2 first = unit() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= extent().x)
        return;
    int highest = extent().y, lowest = -1; // the rows that have changed
    for (int row = first.y; row < min(first.y + STRIP_HEIGHT, extent().y); row++) {
        ivec2 cell = to_world(ivec2(first.x, row), size);
        bool solid = is_obstacle(load_material(cell)), changed = false;
        for (int layer = 0; layer < LAYERS; layer++) {
            int texel = load_mixture_texel(cell, layer), next = texel_with(amount_of_texel(texel), solid);
            if (next != texel)
                store_mixture_texel(cell, layer, next);
            changed = changed || next != texel;
        }
        highest = changed ? min(highest, row) : highest;
        lowest = changed ? row : lowest;
    }
    if (lowest >= 0)
        note_others(ivec2(first.x, highest), ivec2(first.x, lowest), extent());
}
