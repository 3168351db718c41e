"""Tags of a scene's materials: one that no reaction names is a remark, and an error if it is similar to a known one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import gpufluid
from gpufluid import World, scene
from gpufluid.core.errors import SceneError
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.scene.own_tags import COMPARED_MOST

TOP = 'size = [8, 6]\nrules = ["atoms", "heat", "reactions"]\n'
PEAT = '[[material]]\nname = "peat"\nstate = "powder"\ndensity = 400\ncolour = "#40301f"\ntags = {}\n'

STICKING = '[[reaction]]\nbetween = ["sticky", "water"]\nbecome = ["same", "mud"]\n'


def read(folder: Path, text: str) -> scene.Scene:
    (folder / "own.toml").write_text(text)
    return scene.read(folder / "own.toml")


def peat(*tags: str) -> str:
    return PEAT.format(list(tags)).replace("'", '"')


@pytest.mark.parametrize(
    ("tags", "more", "message"),
    [
        (["flamable"], "", "no reaction names the tag 'flamable'; did you mean 'flammable'?"),
        (["earth", "flamming"], "", "no reaction names the tag 'flamming'; did you mean 'flaming'?"),
        (["enert"], "", "no reaction names the tag 'enert'; did you mean 'inert'"),
        (
            ["stikcy"],
            '[[material]]\nname = "sand"\ntags = ["sticky"]\n' + STICKING,
            "no reaction names the tag 'stikcy'; did you mean 'sticky'?",
        ),
    ],
)
@pytest.mark.parametrize("rules", ['["atoms", "heat", "reactions"]', '["atoms"]'])
def test_a_tag_that_is_nearly_a_known_one_is_an_error(
    tmp_path: Path, tags: list[str], more: str, message: str, rules: str
) -> None:
    with pytest.raises(SceneError) as caught:
        read(tmp_path, f"size = [8, 6]\nrules = {rules}\n{peat(*tags)}{more}")
    (problem,) = caught.value.problems
    assert (problem.field, problem.line) == ("material[0].tags", 8)
    assert problem.message.startswith(message)


@pytest.mark.parametrize("kind", ["between", "from"])
def test_a_reaction_introduces_a_tag(tmp_path: Path, kind: str) -> None:
    """Also one that is similar to a shipped one."""
    words = '["flamable", "water"]\nbecome = ["mud", "same"]' if kind == "between" else '"flamable"\nbecome = "mud"'
    found = read(tmp_path, f"{TOP}{peat('flamable')}[[reaction]]\n{kind} = {words}\n")
    assert found.remarks == ()
    assert found.world.materials.tagged["flamable"] == {found.world.materials["peat"]}


def test_a_new_tag_that_no_reaction_names_is_a_remark(tmp_path: Path) -> None:
    found = read(tmp_path, TOP + peat("xylophone", "flammable"))
    (remark,) = found.remarks
    path = tmp_path / "own.toml"
    assert remark == f"{path}:8: material[0].tags: has no effect: no reaction names the tag 'xylophone'"
    assert read(tmp_path, f'size = [8, 6]\nrules = ["atoms"]\n{peat("xylophone")}').remarks == ()


def test_known_tags_pass_without_a_word(tmp_path: Path) -> None:
    known = sorted({tag for record in SHIPPED for tag in record.tags})
    assert len(known) > 5
    assert read(tmp_path, TOP + peat(*known)).remarks == ()


def test_a_mistyped_tag_in_a_reaction_is_told_once(tmp_path: Path) -> None:
    reaction = '[[reaction]]\nbetween = ["stikcy", "water"]\nbecome = ["same", "mud"]\n'
    with pytest.raises(SceneError) as caught:
        read(tmp_path, TOP + peat("sticky") + reaction)
    (problem,) = caught.value.problems
    assert problem.message == "'stikcy' is no material, no state and no tag; did you mean 'sticky'?"


def test_only_some_tags_are_compared(tmp_path: Path) -> None:
    tags = [f"flamable{letter}" for letter in "abcdefghijkl"]
    with pytest.raises(SceneError) as caught:
        read(tmp_path, TOP + peat(*tags))
    assert len(caught.value.problems) == COMPARED_MOST


def test_a_wrong_list_of_tags_is_told_once(tmp_path: Path) -> None:
    for tags in ('"flamable"', '["solid"]', '["Flamable"]', "[1]"):
        with pytest.raises(SceneError) as caught:
            read(tmp_path, TOP + PEAT.format(tags))
        assert len(caught.value.problems) == 1, tags


def test_a_written_scene_can_be_read_again(tmp_path: Path) -> None:
    """A table made in Python may have any tag. A scene keeps those that mean something, and says what it leaves out."""
    slag = replace(SHIPPED[-1], name="slag", tags=("flamable", "xylophone", "sticky"))
    sticks = Reaction("sticking", ("sticky", "water"), ("same", "mud"))
    world = World(
        4,
        5,
        ("atoms", "heat", "reactions"),
        materials=MaterialTable((*SHIPPED, slag)),
        reactions=ReactionTable((sticks, *REACTIONS)),
    )
    losses = scene.write(world, tmp_path / "slag.toml", "Slag", "Slag.")
    assert losses == ["tag 'flamable' of 'slag': not kept; no reaction names it"]
    again = gpufluid.load(tmp_path / "slag.toml")
    assert again.materials.records[-1].tags == ("xylophone", "sticky")
