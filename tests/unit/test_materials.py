"""The material table: names to numbers and back, and nothing that could shift a number."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid.errors import UsageError
from gpufluid.materials import SHIPPED, Material, MaterialTable, State


def test_numbers_are_for_ever() -> None:
    """They stand in every snapshot and golden: append below, never insert."""
    assert [record.name for record in SHIPPED][:5] == ["empty", "wall", "stone", "water", "wood"]


def test_names_and_numbers_lead_to_one_another() -> None:
    table = MaterialTable()
    assert [table[record.name] for record in table] == list(range(len(table)))
    assert table.records == SHIPPED
    assert "water" in table
    assert "Water" not in table


@pytest.mark.parametrize(
    ("name", "hint"), [("watr", "did you mean 'water'"), ("xyzzy", "expected one of: empty, stone, wall, water, wood")]
)
def test_an_unknown_name_is_answered_with_the_near_ones(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"unknown material '{name}'; {hint}"):
        MaterialTable()[name]


def test_the_solids_are_the_walls_of_a_world() -> None:
    solid = MaterialTable().solid
    assert solid.shape == (256,)
    assert [SHIPPED[number].name for number in np.flatnonzero(solid)] == ["wall", "stone", "wood"]


def test_a_table_of_ones_own() -> None:
    records = (SHIPPED[0], Material("ice", State.SOLID, 917, (200, 220, 255)))
    table = MaterialTable(records)
    assert (table["ice"], len(table)) == (1, 2)
    assert np.flatnonzero(table.solid).tolist() == [1]


@pytest.mark.parametrize("record", SHIPPED, ids=lambda record: record.name)
def test_a_record_is_sound(record: Material) -> None:
    assert record.name == record.name.lower()
    assert (record.density == 0) == (record.state is State.EMPTY)
    assert all(0 <= part <= 255 for part in record.colour)
    assert [other.name for other in SHIPPED].count(record.name) == 1
