"""Rule ``pressure``: vessels that communicate. What stands high in a body of liquid goes to where the body stands low.

A body is all that is connected of one liquid at rest: from each of its cells a path through others leads to any other.
Atoms alone level out within a row; they never rise in the other arm of a bent tube. Here an atom of a body's highest
surface goes at once to its lowest open surface, if that is lower by two rows or more. So energy falls with every one
that goes, and a level surface rests. It does not pass through the cells between, nor push what lies in them.

1. Labelling (`label`, `unite`, `flatten`): the bodies, by union-find. Each strip of a column links its own cells, then
   neighbours link what they belong to under the smaller number, by an atomic minimum that any order of work leaves the
   same, then every cell takes the number at the end of its links: that of the first cell of its body.
2. Matching (`offer`): each open surface cell of a body makes two offers, to give and to take; the highest and the
   lowest win by an atomic maximum of a word that holds the row and, so that no two are alike, a lot of the column.
3. Transfer (`transfer`): one atom goes, for each body. Matching and transfer are repeated several times in a tick.

What rule `pressure` asks of a cell is in ``shaders/pressure/of_<matter>.glsl``: what liquid rests in it, whether it is
open above, what goes from one to another. The rest knows nothing of atoms.

Source: seed 003, "Fixing pressure", after Dwarf Fortress; Playne & Hawick 2018, "A New Algorithm for Parallel
Connected-Component Labelling on GPUs", IEEE TPDS 29(6), for the union by atomic minimum.
"""

from __future__ import annotations

from dataclasses import replace

from gpufluid.rules.declaration import Over, Overlay, Parameter, Pass, Rule, Scratch, Variant

LABELS = Scratch("labels", Over.CELLS)
"""The body of each cell of gravity's frame: 1 and the smallest place of its cells, counted along rows; 0 of none."""

SURFACES = Scratch("surfaces", Over.COLUMNS)
"""Which cells of a strip of a column are open surfaces, a bit each."""

SOURCES, SINKS = Scratch("sources", Over.CELLS), Scratch("sinks", Over.CELLS)
"""In the first cell of each body its best offer, to give and to take; 0 is none."""

ROUNDS_MOST = 32
"""A surface rises by so many rows in a tick at most, which keeps it in its tile or the one above."""

USES = {"use_offer": 12 << 16}
"""What a random word is drawn for; see rules/atoms.py."""

LOT_FACTORS = (0x88B5, 0xDB2D)
"""By which lots are mixed, in 16 bits. Source: Wellons, "Hash Prospector", its 16-bit permutations."""

CONSTANTS = {
    "least_drop": 2,  # rows by which a surface must be lower than another, so that an atom goes from one to the other
    "lot_first": LOT_FACTORS[0],
    "lot_second": LOT_FACTORS[1],
    "unlot_first": pow(LOT_FACTORS[0], -1, 1 << 16),
    "unlot_second": pow(LOT_FACTORS[1], -1, 1 << 16),
}


_PASS = Pass("pressure", "", Over.COLUMNS, wakes="atoms", matter="atoms", way="whole_strips")
_LABELLING = (
    replace(_PASS, name="label", reads=("cells",), writes=(LABELS,)),
    replace(_PASS, name="unite", reads=("cells",), refines=(LABELS,)),
    replace(_PASS, name="flatten", reads=("cells",), writes=(SURFACES, SOURCES, SINKS), refines=(LABELS,)),
)
_EXCHANGE = (
    replace(
        _PASS, name="offer", reads=("cells",), takes=(LABELS, SURFACES), refines=(SOURCES, SINKS), repeats="rounds"
    ),
    replace(
        _PASS,
        name="transfer",
        updates=("cells",),
        refines=(LABELS, SURFACES, SOURCES, SINKS),
        repeats="rounds",
        stirs=True,
    ),
)
_IN_TILES = {"over": Over.TILES, "way": "tile_strips"}
_SCOUT = replace(_PASS, over=Over.TILES, scouts=True, way="")
_SCOUTS = (
    replace(_SCOUT, name="wet", reads=("cells",), rouses="wet", **_IN_TILES),
    replace(_SCOUT, name="meet"),
    replace(_SCOUT, name="stir"),
)

RULE = Rule(
    name="pressure",
    about="Connected liquid finds one level, also where it would have to rise.",
    fields=("material", "velocity", "grain"),
    needs=("atoms",),
    parameters=(
        Parameter("rounds", 8, "how many atoms of each body change places in a tick", 0, ROUNDS_MOST, whole=True),
    ),
    variants=(
        Variant("strips", "each invocation works on a strip of a column", (*_LABELLING, *_EXCHANGE), software=False),
        Variant(
            "tiles",
            "each invocation works on a column of a tile of a body that has changed",
            (
                *_SCOUTS,
                *(
                    replace(each, over=Over.TILES, rouses="label", way="tile_strips")
                    for each in (*_LABELLING, *_EXCHANGE)
                ),
            ),
            software=True,
        ),
    ),
    # Wet: a tile that holds liquid at rest. Pond: its place among the tiles that are connected with it, the smallest of
    # theirs. Unfinished: of a pond, the tick in which the last round still found something. Held: so that a tile which
    # has left that pond since is looked at too. Roused: of a pond, the tick in which it is looked at.
    stamps=("wet", "pond", "unfinished", "held", "roused"),
    overlays=(
        Overlay(
            "bodies",
            "bodies of connected liquid, a colour each",
            "",
            "turbo",
            lambda height, p: (0.0, 1.0),  # noqa: ARG005
            takes=(LABELS,),
        ),
    ),
    derived=lambda fixed: {**USES, **CONSTANTS},  # noqa: ARG005
    quiet=lambda fixed: 1,  # noqa: ARG005
)
