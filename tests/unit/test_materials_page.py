"""The page of materials is the current output of its tool, and has the values of the tables."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import materials_page
import numpy as np
import pytest
from PIL import Image

from gpufluid.matter.materials import SHIPPED, Material, State
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import Reaction
from gpufluid.matter.transitions import Transition

SHOWN = [record for record in SHIPPED if record.state is not State.EMPTY]


def test_the_page_is_the_current_output_of_its_tool() -> None:
    tool = Path(materials_page.__file__)
    answer = subprocess.run([sys.executable, tool, "--check", "--text"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, ""), "run tools/materials_page.py"


def test_every_material_has_its_row_and_a_small_picture() -> None:
    text = materials_page.PAGE.read_text(encoding="utf-8")
    for record in SHOWN:
        name = materials_page.file_name(record)
        assert text.count(f"| {record.name} | ![{record.name}](materials/{name}) |") == 1
        with Image.open(materials_page.PICTURES / name) as picture:
            assert picture.size == (128, 96)
        assert (materials_page.PICTURES / name).stat().st_size < 5000
    assert len(list(materials_page.PICTURES.iterdir())) == len(SHOWN)


def test_every_link_leads_to_a_reaction_of_the_page() -> None:
    text = materials_page.page()
    anchors = re.findall(r"<a id='([^']+)'>", text)
    assert len(set(anchors)) == len(anchors) == len(REACTIONS)
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (
            {"between": ["lava", "wet"], "become": ["stone", "steam"], "heat": 200},
            "lava beside `wet` matter: lava becomes stone, and `wet` matter becomes steam; gives 200 degrees",
        ),
        (
            {"between": ["acid", "powder"], "become": ["water", "empty"], "wear": [8, 24], "strength": 100},
            (
                "acid beside any powder: acid loses 8 of its 256 parts and with the last becomes water, and any powder"
                " loses 24 of its 256 parts and with the last is gone; only up to a strength of 100"
            ),
        ),
        (
            {"between": ["blast", "any"], "become": ["same", "same"], "push": 2.5},
            "blast beside any matter: both stay; drives matter out at 2.5 cells a tick",
        ),
        (
            {"from": "mud", "become": "soil", "above": 80, "below": 95.5, "after": 40, "heat": -3},
            "mud becomes soil; from 80 °C; below 95.5 °C; after 40 ticks; takes 3 degrees",
        ),
        (
            {"between": ["cloner", "empty"], "become": ["same", "copy"], "chance": 0.005},
            "cloner beside air: cloner stays, and air becomes the material that the other has recorded; chance 0.5 %",
        ),
    ],
)
def test_a_reaction_in_words(record: dict[str, object], said: str) -> None:
    assert materials_page.words(Reaction.of(record)) == said


def test_a_reaction_is_listed_at_its_partners_and_products() -> None:
    reaction = Reaction("x", ("acid", "solid"), ("water", "smoke"), wear=(1, 1), strength=80)
    there = {record.name for record in SHOWN if materials_page.takes_part(record, reaction)}
    solids = {each.name for each in SHOWN if each.state is State.SOLID and (each.strength or 0) <= 80}
    assert there == {"acid", "water", "smoke"} | {name for name in solids if name != "wall"}
    assert "glass" not in there
    everywhere = Reaction("y", ("blast", "any"), ("same", "same"), push=1.0)
    assert [record.name for record in SHOWN if materials_page.takes_part(record, everywhere)] == ["blast"]


def test_a_change_of_state_in_words() -> None:
    assert materials_page.change("above", Transition(100, "steam", 536)) == "above 100 °C steam (takes 536)"
    assert materials_page.change("below", Transition(-0.5, "ice")) == "below -0.5 °C ice"


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("state", [State.SOLID, State.POWDER, State.GAS])
def test_a_picture_shows_the_material_in_its_colour(state: State) -> None:
    record = next(each for each in SHOWN if each.state is state and not each.transitions and each.name != "wall")
    picture = materials_page.draw(record).astype(int)
    near = np.abs(picture - record.colour).max(axis=2) < 60
    basin = materials_page._BASIN * materials_page._SCALE
    assert near[:-basin, basin:-basin].mean() > 0.03
    assert isinstance(record, Material)
