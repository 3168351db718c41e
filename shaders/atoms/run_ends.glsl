// Where a run of fluid may spread: what can be told from its end and from what stands before it.
// 1 for a fluid that falls, -1 for one that rises, 0 for one that does neither.
int pull_side(Atom atom) { return sign(pull_of(atom.material)); }

// What of an atom matters here, looked up once.
struct Stand {
    int material;
    bool still; // neither falling nor rising
    int state;
    int density;
    int pull;
};

Stand stand_of(Atom atom)
{
    int material = atom.material;
    return Stand(material, atom.velocity.y == 0, state_of(material), density_of(material), pull_of(material));
}

// Whether an atom may be the end of a run that stands before a hole: what can be told from the two alone.
bool may_face(Stand end, Stand hole)
{
    bool able = end.state >= STATE_LIQUID && end.still && end.pull != 0 && hole.material != end.material;
    bool gives_way = hole.state >= STATE_LIQUID && hole.density < end.density && hole.still;
    return able && (hole.material == 0 || (end.pull > 0 && gives_way));
}
