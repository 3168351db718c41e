#version 430
// Changes of state by temperature. Law: each atom by itself; what is past a threshold takes in, or gives off, whole
// units of latent heat, which its age keeps, and with all of it becomes another material. Twin: oracle.heat.transition.
// Heat is neither made nor lost; what the change itself binds is counted.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "atoms/cells.glsl"
#include "heat/places.glsl"

#include "generated/kernel.glsl"

int bound; // units of temperature

void change(ivec2 at)
{
    Atom atom = atom_at(at);
    uint thresholds = THRESHOLDS[atom.material], products = PRODUCTS[atom.material];
    int hotter = hotter_in(products), colder = colder_in(products), takes = takes_in(products),
        gives = gives_in(products);
    int above = above_in(thresholds), below = below_in(thresholds);
    bool changes = (hotter | colder) != 0;
    int before = temperature_of(atom.warmth), held = int(atom.warmth) >> SHIFT_AGE;
    // What it holds goes toward where it came from before it goes the other way.
    bool upward = held > 0 || (held == 0 && before > above);
    int taken = upward ? clamp((before - above) >> LATENT_SHIFT, -held, takes - held) : 0;
    bool downward = held < 0 || (held == 0 && before < below);
    taken = downward ? -clamp((below - before) >> LATENT_SHIFT, held, gives + held) : taken;
    taken = changes ? taken : 0;
    int now = held + taken;
    bool boils = hotter != 0 && upward && now >= takes;
    bool freezes = colder != 0 && downward && -now >= gives;
    if (!boils && !freezes && taken == 0)
        return;
    int product = boils ? hotter : colder;
    bool other = boils || freezes;
    int temperature = before - taken * LATENT_ONE;
    atom.warmth = warmth_word(temperature, integrity_of(atom.warmth), uint(other ? 0 : now) & 0xFFu);
    bool was_solid = is_solid(atom);
    atom.material = other ? product : atom.material;
    atom.velocity = is_solid(atom) ? ivec2(0) : atom.velocity;
    if (was_solid && !is_solid(atom))
        atom.grain = noise(at, tick, seed, uint(USE_TRANSITION)).z >> 24;
    put(at, atom);
    note_stir(tick);
    note_warm(at);
    if (other) {
        bound += now * LATENT_ONE;
        note_matter(at);
    }
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_patch(frame);
    ivec2 end = min(first + ivec2(STRIP_WIDTH, STRIP_HEIGHT), frame);
    bound = 0;
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++)
            change(ivec2(x, y));
    if (bound != 0)
        count_bound_heat(bound);
}
