"""Every shipped scene has a description, runs, conserves matter, and equals the oracle."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from support.atoms import turned
from support.scenes import (
    DIGESTS_IN_SHORT,
    GOLDEN,
    assert_balanced,
    assert_next_tick_equals_oracle,
    of_same_rules,
)
from support.selection import mostly_long

from gpufluid import Simulation, World, scene
from gpufluid.run import checking
from gpufluid.scene.reading import read_tables

SHIPPED = {path.stem: path for path in scene.shipped()}
RUN = [name for name, path in SHIPPED.items() if read_tables(path).test != "off"]


def test_at_least_12_shipped_scenes_have_rule_atoms() -> None:
    assert sum("atoms" in read_tables(path).rules for path in SHIPPED.values()) >= 12


@pytest.mark.parametrize("name", SHIPPED)
def test_a_scene_has_title_sentence_ticks_and_test_mode(name: str) -> None:
    """Title, description, number of ticks and kind of test are in the file itself, not defaults."""
    tables = read_tables(SHIPPED[name])
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name)
    assert {"title", "about", "ticks", "test"} <= tables.model_fields_set
    assert tables.title.strip()
    assert tables.about.endswith((".", "!"))
    assert len(tables.about) <= 120  # a line of `gpufluid scenes`
    assert tables.ticks > 0


def test_names_titles_and_sentences_of_scenes_are_unique() -> None:
    headings = scene.headings()
    for key in ("name", "title", "about"):
        assert len({heading[key] for heading in headings}) == len(headings)


def test_every_picture_belongs_to_a_scene() -> None:
    tables = [read_tables(path) for path in SHIPPED.values()]
    used = {table.map.image for table in tables if table.map}
    assert {path.name for path in next(iter(SHIPPED.values())).parent.glob("*.png")} == used


def test_scenes_with_emitters_drains_or_open_edges_are_golden() -> None:
    """So the run that computes the digest also checks the ledgers."""
    tables = {name: read_tables(SHIPPED[name]) for name in RUN}
    comes_and_goes = {name for name, each in tables.items() if each.emitter or each.drain or each.edges == "open"}
    assert comes_and_goes
    assert comes_and_goes <= set(GOLDEN)


def part(world: World, rows: slice, columns: slice) -> World:
    """A rectangle of a world as a separate world, with the same laws and the emitters that are wholly in it."""
    laws = {"parameters": world.parameters, "materials": world.materials, "reactions": world.reactions}
    emitters = [
        replace(each, at=(each.at[0] - columns.start, each.at[1] - rows.start))
        for each in world.emitters
        if columns.start <= each.at[0]
        and each.at[0] + each.size[0] <= columns.stop
        and rows.start <= each.at[1]
        and each.at[1] + each.size[1] <= rows.stop
    ]
    size = rows.stop - rows.start, columns.stop - columns.start
    found = World(*size, world.rules, world.edges, world.seed, emitters=emitters, gravity=world.gravity, **laws)
    for name in world.fields:
        found[name] = world[name][rows, columns]
    return found


LARGE = {
    *("cave", "landslide", "lava_sea", "two_liquids", "burning_bridge", "wood_fire", "acid_sand", "spring"),
    *("aquifer", "flood", "harbour", "hourglass_under_water", "volcano_island"),
    *("kettle_by_mass", "closed_cycle_by_mass", "powder_store"),
}
"""Scenes that take seconds, for the oracle or to compile. Smaller scenes of the short run have all their rules."""


def cells_of(name: str) -> int:
    """The cells of a scene; the file of one that goes on from a picture or snapshot may not say."""
    return math.prod(read_tables(SHIPPED[name]).size or (1 << 8, 1 << 8))


SHORT = {
    name
    for same in of_same_rules(set(RUN) - LARGE)
    if not DIGESTS_IN_SHORT.intersection(same)
    for name in sorted(same, key=lambda each: (cells_of(each), each))[:1]
}
"""The smallest scene of each set of rules of which the short run takes no digests."""

PARTS = {"landslide": (slice(1200, 1456), slice(896, 1152))}
"""Rows and columns of the part of the slope with the front of the avalanche."""


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "name",
    mostly_long(
        RUN,
        *SHORT,
        why="a large scene, or one of the same rules as others",
    ),
)
def test_a_scene_runs_conserves_and_equals_the_oracle(name: str) -> None:
    """Five ticks with balanced ledgers; some ticks, fewer in larger scenes, compared bit for bit with the oracle.

    Of a scene that is too large for the oracle, a part is compared. Later ticks of golden scenes are compared in
    ``test_golden.py``.
    """
    found = scene.read(SHIPPED[name])
    assert found.remarks == ()
    world = found.world
    with Simulation(world) as sim:
        for _ in range(5):
            sim.step()
            after = sim.read()
            assert_balanced(world, after)
            assert (after.ledger, after.atoms, after.amounts) == (sim.ledger, sim.atoms, sim.amounts)
        after.validate()
        assert sim.digest() != world.digest()
    held = part(world, *PARTS[name]) if name in PARTS else world
    runs = sum(1 for call in held.schedule().calls(0) if call.port is None)
    assert checking.check(held, min(20, 1 + 2_000_000 // (held.width * held.height * runs))) is None


@pytest.mark.long("the largest part that is compared")
@pytest.mark.usefixtures("device")
def test_the_crater_of_the_volcano_equals_the_oracle() -> None:
    """The whole scene is too large for the oracle; the crater with the fountain and the slopes below is not."""
    world = part(scene.read(SHIPPED["volcano"]).world, slice(192, 320), slice(416, 608))
    assert len(world.emitters) == 4
    with Simulation(world) as sim:
        assert_next_tick_equals_oracle(sim, 150)
        assert sim.atoms["lava"].emitted > 500
        assert sim.atoms["clinker"].made > 0
        assert_balanced(world, sim.read())


@pytest.mark.usefixtures("device")
def test_the_four_scenes_of_gravity_are_one_world_turned() -> None:
    """Each scene, run and turned back, has the digest of the scene whose gravity is down."""
    digests = set()
    for gravity, quarters in (("down", 0), ("right", -1), ("up", 2), ("left", 1)):
        with Simulation(scene.read(SHIPPED[f"gravity_{gravity}"]).world) as sim:
            sim.step(200)
            digests.add(turned(sim.read(), quarters).digest())
    assert len(digests) == 1
