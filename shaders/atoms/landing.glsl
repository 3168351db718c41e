// The new velocity of an atom that is stopped on its way up or down. Law: friction takes part of the speed across; part
// of the speed comes back as a bounce, and part becomes speed across, in the direction that the atom had, or else to a
// side that a coin picks. Source: seed 004, "Spraying Fluids", note 7.
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
        int side = across != 0 ? sign(across) : 1 - 2 * int(noise(at, use).x & 1u);
        across += side * (speed * spread_of(atom.material) >> 8);
    }
    atom.velocity = ivec2(bounded_speed(across), back > 2 * pull ? -down * back : 0);
}
