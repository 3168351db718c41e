// The new velocity of an atom that is stopped on its way up or down. Law: friction takes part of the speed across; part
// of the speed comes back as a bounce, and part becomes speed across, in the direction that the atom had, or else to a
// side that a coin picks. An atom that splashes goes back by a random part of its speed. Source: seed 004, "Spraying
// Fluids", note 7.
void land(inout Atom atom, int speed, int pull, ivec2 at, uint use)
{
    int back = speed * bounce_of(atom.material) >> 8;
    if (pull <= 0) {
        atom.velocity.y = atom.velocity.y > 0 ? -back : back;
        return;
    }
    int down = sign(pull_of(atom.material));
    int across = slowed(atom.velocity.x, drag_of(atom.material));
    if (speed > 2 * pull) {
        uvec4 words = noise(at, use);
        int side = across != 0 ? sign(across) : 1 - 2 * int(words.x & 1u);
        across += side * (speed * spread_of(atom.material) >> 8);
        if (int(words.y & 0xFFu) < splash_of(atom.material))
            back = max(back, speed * int(words.y >> 8 & 0xFFu) >> 8);
    }
    atom.velocity = ivec2(bounded_speed(across), back > 3 * pull ? -down * back : 0);
}

// Push a falling or rising atom to a side, with the probability `stray` of its material.
void stray(inout Atom atom, ivec2 at, uint use)
{
    uvec4 words = noise(at, use);
    int side = 1 - 2 * int(words.x & 1u);
    int push = int(words.z & 0xFFu) < stray_of(atom.material) ? side * STRAY_PUSH : 0;
    atom.velocity.x = bounded_speed(atom.velocity.x + push);
}
