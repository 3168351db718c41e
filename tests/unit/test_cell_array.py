"""The arrays that a world gives out: they refuse what integers cannot hold, and are NumPy arrays in all else."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from gpufluid import FULL, World, oracle
from gpufluid.core.errors import GpufluidError, UnknownFieldError, WorldError
from gpufluid.matter.mixtures import SHIPPED as MIXTURE
from gpufluid.matter.reactions import ReactionTable

Write = Callable[[np.ndarray, object], object]


def whole(values: np.ndarray, value: object) -> None:
    values[...] = value


def part(values: np.ndarray, value: object) -> None:
    values[1:3][:, ::2] = value


def masked(values: np.ndarray, value: object) -> None:
    values[values == 0] = value


def in_place(values: np.ndarray, value: object) -> None:
    values += value


WRITES: dict[str, Write] = {
    "all": whole,
    "one cell": lambda values, value: operator.setitem(values, (1, 2), value),
    "a part": part,
    "a mask": masked,
    "a view": lambda values, value: whole(values.T.view()[1:], value),
    "fill": lambda values, value: values.fill(value),
    "put": lambda values, value: values.put([1], value),
    "np.put": lambda values, value: np.put(values, [1], value),
    "np.copyto": np.copyto,
    "np.putmask": lambda values, value: np.putmask(values, values == 0, value),
    "np.place": lambda values, value: np.place(values, values == 0, np.atleast_1d(value)),
    "np.fill_diagonal": np.fill_diagonal,
    "np.add.at": lambda values, value: np.add.at(values, (1, 2), value),
    "in place": in_place,
    "part in place": lambda values, value: operator.setitem(values, 1, operator.iadd(values[1], value)),
    "out": lambda values, value: np.add(values, value, out=values),
}


@pytest.mark.parametrize("value", [0.5, 1.0, float("nan"), np.float32(3), "1", None], ids=repr)
@pytest.mark.parametrize("write", WRITES)
def test_what_is_no_whole_number_is_refused_and_nothing_is_written(write: str, value: object) -> None:
    world = World(4, 5, rules=("flow",))
    world["mass"][1] = 3
    before = world.digest()
    with pytest.raises(
        WorldError, match=r"^mass: .*; expected whole numbers from -2147483648 to 2147483647; 1.0 cells a"
    ):
        WRITES[write](world["mass"], value)
    assert world.digest() == before


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mass", 0.5, r"^mass: 0\.5; expected whole numbers from -2147483648 to 2147483647; 1\.0 cells are 1048576$"),
        ("mass", np.ones(5), r"^mass: an array of float64; expected"),
        ("mass", True, r"^mass: True; expected"),
        ("mass", np.ones(5, bool), r"^mass: an array of bool; expected"),
        ("mass", 2**31, r"^mass: 2147483648; expected"),
        ("material", 256, r"^material: 256; expected whole numbers from 0 to 255$"),
        ("material", np.arange(-1, 4), r"^material: -1; expected whole numbers from 0 to 255$"),
        ("material", [3, 4, 0.5, 1, 1], r"^material: \[3, 4, 0\.5, 1, 1\]; expected"),
    ],
)
def test_the_error_says_what_was_found_and_what_was_expected(name: str, value: object, message: str) -> None:
    world = World(4, 5, rules=("flow",))
    for write in (lambda: whole(world[name], value), lambda: operator.setitem(world, name, value)):
        with pytest.raises(WorldError, match=message):
            write()


def test_the_error_says_the_units_of_a_velocity_and_of_a_temperature() -> None:
    world = World(4, 5, ("atoms", "heat"))
    with pytest.raises(WorldError, match=r"^velocity: \(2\.5, 0\); .* 127; 1\.0 cells a tick are 16$"):
        world["velocity"][2] = 2.5, 0
    with pytest.raises(WorldError, match=r"^temperature: 36\.6; .* 32767; 1\.0 degrees C are 8$"):
        world["temperature"][2] = 36.6


def test_a_mixture_is_guarded_too() -> None:
    world = World(4, 5, ("mixture",))
    with pytest.raises(WorldError, match=r"^mixture: 0\.25; expected whole numbers"):
        world["mixture"][MIXTURE["water"], 1:3] = 0.25


def test_whole_numbers_of_any_type_are_written() -> None:
    world = World(4, 5, rules=("flow",))
    for value in (7, np.int64(7), np.uint8(7), [7] * 5, np.full((4, 5), 7), np.full(5, 7, np.uint64)):
        world["mass"][...] = 0
        world["mass"][...] = value
        assert (world["mass"] == 7).all()
    world["mass"][:, 1] += 1
    world["mass"] *= 2
    np.add.at(world["mass"], (0, 0), 5)
    np.multiply(world["mass"], 3, out=world["mass"], where=world["mass"] == 16)
    assert world["mass"][0].tolist() == [19, 48, 14, 14, 14]
    world["mass"].fill(4)
    world["mass"].put([0, 1], [5, 6])
    np.putmask(world["mass"], world["mass"] == 4, 9)
    assert world.total() == 11 + 18 * 9


def test_results_are_plain_arrays() -> None:
    world = World(4, 5, rules=("flow",))
    world["mass"][...] = FULL
    values = world["mass"]
    for result in (
        values / FULL,
        values * 0.5,
        values == 3,
        ~values,
        np.where(values == 0, values, 1),
        np.sqrt(values),
    ):
        assert type(result) is np.ndarray
    assert type(np.asarray(values)) is np.ndarray
    assert np.shares_memory(np.asarray(values), values)
    assert type(pickle.loads(pickle.dumps(values))) is np.ndarray
    assert (values.sum(), values.max(), values.mean()) == (20 * FULL, FULL, FULL)
    assert isinstance(values[1, 2], np.int32)


def test_a_copy_takes_fractions_as_arrays_of_its_type_do() -> None:
    world = World(4, 5, rules=("flow",))
    degrees = world["mass"].astype(float)
    degrees[...] = 0.5
    assert (degrees == 0.5).all()
    for own in (
        world["mass"].copy(),
        copy.deepcopy(world["mass"]),
        world["mass"][world["mass"] == 0],
        world["mass"] + 0,
    ):
        own[...] = 1.5
        assert (own == 1).all()
    assert world.total() == 0


def test_another_type_of_the_same_cells_is_checked_by_its_own_range() -> None:
    world = World(4, 5, ("atoms", "heat"))
    world["age"].view(np.int8)[1, 2] = -3
    assert world["age"][1, 2] == 253
    with pytest.raises(WorldError, match=r"^age: 200; expected whole numbers from -128 to 127$"):
        world["age"].view(np.int8)[1, 2] = 200


def test_an_unknown_field_is_a_key_error_that_says_similar_names() -> None:
    world = World(4, 5, ("atoms", "heat"))
    message = "temprature: a world with rules ['atoms', 'heat'] has no such field; did you mean 'temperature'?"
    for kind in (KeyError, WorldError, GpufluidError):
        with pytest.raises(kind) as caught:
            world["temprature"]
        assert str(caught.value) == message
    for use in (
        lambda: operator.setitem(world, "mass", 3),
        lambda: world.total("mass"),
        lambda: world.total(),
        lambda: World(4, 5, rules=("flow",)).degrees(),
        lambda: World(4, 5, rules=("flow",)).heat_held(),
    ):
        with pytest.raises(UnknownFieldError):
            use()
    assert [*world] == list(world.fields)
    assert ("temperature" in world, "mass" in world, 3 in world) == (True, False, False)


@pytest.mark.parametrize(
    ("table", "name", "hint"),
    [
        (World(4, 5, rules=("flow",)).materials, "snad", "unknown material 'snad'; did you mean 'sand'?"),
        (MIXTURE, "watr", "'watr' is no constituent of this mixture; did you mean 'water'"),
        (ReactionTable(), "fire", "unknown reaction 'fire'"),
    ],
)
def test_an_unknown_name_of_a_table_is_a_key_error_too(table: object, name: str, hint: str) -> None:
    for kind in (KeyError, GpufluidError):
        with pytest.raises(kind) as caught:
            table[name]
        assert str(caught.value).startswith(hint)


def test_the_oracle_uses_plain_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks cost nothing in ticks."""
    world = World(8, 8, ("atoms", "heat"))
    world["material"][2:4] = world.materials["sand"]

    def refuse(*_: object) -> None:
        raise AssertionError("a checked array in a tick")

    monkeypatch.setattr("gpufluid.world.cell_array.CellArray.of", refuse)
    oracle.step(world, 2)
    with suppress(AssertionError):
        world["material"]
        pytest.fail("the guard against checked arrays is not in use")
