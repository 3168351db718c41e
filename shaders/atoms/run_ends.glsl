// Ends of runs of fluid: tests of the last atom of a run and of the cell before it.

// 1 of a fluid that falls and of water by mass, -1 of a fluid that rises, 0 of any other.
int pull_side(Atom atom) { return is_amount(atom.material) ? 1 : sign(pull_of(atom.material)); }

// The properties of an atom that these tests need, looked up once.
struct FluidCell {
    int material;
    bool still; // neither falling nor rising
    int state;
    int density;
    int pull;
};

FluidCell fluid_cell_of(Atom atom)
{
    int material = atom.material;
    return FluidCell(material, atom.velocity.y == 0, state_of(material), density_of(material), pull_of(material));
}

// Test if an atom can be the end of a run before a hole, as far as these two cells alone decide it. So can a full cell
// of amounts, but only before an atom of a less dense liquid: elsewhere their own rule moves them.
bool may_face(FluidCell end, FluidCell hole)
{
    bool fluid = end.state >= STATE_LIQUID && end.still && hole.material != end.material;
    bool gives_way = hole.state >= STATE_LIQUID && hole.density < end.density && hole.still;
    bool slides = !is_thin_amount(end.density) && hole.state == STATE_LIQUID && !is_amount(hole.material) && gives_way;
    bool spreads = end.pull != 0 && (hole.material == 0 || (end.pull > 0 && gives_way));
    return fluid && (is_amount(end.material) ? slides : spreads);
}
