// Where a run of fluid may spread: what can be told from its end and from what stands before it.
// 1 for a fluid that falls, -1 for one that rises, 0 for one that does neither.
int pull_side(Atom atom) { return sign(pull_of(atom.material)); }

// Whether an atom may be the end of a run that stands before a hole: what can be told from the two alone.
bool may_face(Atom end, Atom hole)
{
    bool able = is_fluid(end) && end.velocity.y == 0 && pull_side(end) != 0 && hole.material != end.material;
    return able && (is_empty(hole) || (pull_side(end) > 0 && gives_way(hole, end) && hole.velocity.y == 0));
}
