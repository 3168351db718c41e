"""Fields and planes: a word keeps every field exactly, and GLSL reads and writes words as the host does."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.probes import probe
from support.worlds import random_atoms

from gpufluid import World
from gpufluid.core.digest import digest_text, header_lanes, plane_lanes
from gpufluid.core.fields import FIELDS, MASS_LIMIT, PLANES, SOLID_BIT, planes_of
from gpufluid.core.packing import cell_glsl, from_texels, pack, separate, to_texels, unpack, value_text
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES
from gpufluid.world.laws import rule_conflicts

SOLID = -1 << SOLID_BIT
CELLS = PLANES["cells"]
COMBINATIONS = [
    rules
    for rules in chain.from_iterable(combinations(RULES, count) for count in range(1, len(RULES) + 1))
    if not list(rule_conflicts(rules))
]


def word(material: int, x: int, y: int, grain: int) -> int:
    """The layout of a word, written out by hand."""
    return material | (x & 0xFF) << 8 | (y & 0xFF) << 16 | grain << 24


@given(st.integers(0, 255), st.integers(-128, 127), st.integers(-128, 127), st.integers(0, 255))
def test_a_word_is_material_velocity_and_grain_from_the_lowest_bits_on(material: int, x: int, y: int, grain: int):
    arrays = {
        "material": np.array([[material]], np.uint8),
        "velocity": np.array([[[x, y]]], np.int8),
        "grain": np.array([[grain]], np.uint8),
    }
    assert pack(CELLS, arrays).tolist() == [[word(material, x, y, grain)]]


@given(st.sampled_from((1, 2, 7)), st.sampled_from((1, 3, 8)), st.integers(0, 2**32 - 1), st.sampled_from(COMBINATIONS))
def test_unpack_inverts_pack(height: int, width: int, luck: int, rules: tuple[str, ...]) -> None:
    rng = np.random.default_rng(luck)
    world = World(height, width, rules)
    for name in world.fields:
        limits = np.iinfo(world[name].dtype)
        world[name] = rng.integers(limits.min, limits.max, world[name].shape, world[name].dtype, endpoint=True)
    arrays = {name: world[name] for name in world.fields}
    atoms = arrays["material"] != 0
    for plane in (each for each in world.planes if each.instead in world.fields):  # they share a word
        arrays[plane.instead][atoms] = 0
        for name in plane.fields:
            arrays[name][~atoms] = 0
    back: dict[str, np.ndarray] = {}
    for plane in world.planes:
        words = pack(plane, arrays)
        back |= unpack(plane, words, len(world.mixture))
        if plane.instead in world.fields:
            back |= separate(plane, words, atoms)
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (back[name].dtype, back[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(back[name], array)


def test_pack_and_unpack_share_memory_where_possible() -> None:
    world = random_atoms(4, 5, rules=("flow", "atoms"))
    arrays = {name: world[name] for name in world.fields}
    assert pack(PLANES["mass"], arrays) is arrays["mass"]
    words = pack(CELLS, arrays)
    assert all(np.shares_memory(array, words) for array in unpack(CELLS, words).values())


def test_texels_of_mass_hold_the_solid_bit() -> None:
    arrays, solid = {"mass": np.array([[5, 0, 0, MASS_LIMIT]], np.int32)}, np.array([[False, True, False, True]])
    texels = to_texels(PLANES["mass"], arrays, solid)
    assert texels.dtype == np.int32
    assert texels.tolist() == [[5, SOLID, 0, SOLID + MASS_LIMIT]]
    assert from_texels(PLANES["mass"], texels)["mass"].tolist() == [[5, 0, 0, MASS_LIMIT]]


def test_each_field_lies_in_one_plane_and_passes_name_planes_of_the_world() -> None:
    for rules in COMBINATIONS:
        world = World(2, 2, rules)
        fields = [name for plane in world.planes for name in (*plane.fields, plane.instead) if name in world.fields]
        assert sorted(fields) == sorted(world.fields), rules
        names = [plane.name for plane in world.planes]
        assert names == [name for name in PLANES if name in names], rules
        numbers = [plane.number for plane in world.planes]
        assert len(set(numbers)) == len(numbers), rules
        for step in world.schedule().passes:
            assert {*step.reads, *step.gathers, *step.updates} <= set(names), (rules, step.full_name)


def test_the_order_of_fields_changes_no_plane() -> None:
    assert planes_of(("mass", "material")) == planes_of(("material", "mass")) == (PLANES["material"], PLANES["mass"])
    every = planes_of(FIELDS)
    assert planes_of(reversed(FIELDS)) == every
    assert [plane for plane in PLANES.values() if plane in every] == [*every]
    assert sorted(name for plane in every for name in (*plane.fields, plane.instead) if name) == sorted(FIELDS)


def test_layers_are_stacked_and_all_hold_the_solid_bit() -> None:
    plane, arrays = PLANES["mixture"], {"mixture": np.arange(12, dtype=np.int32).reshape(2, 2, 3)}
    solid = np.zeros((2, 3), bool)
    solid[1, 2] = True
    texels = to_texels(plane, arrays, solid)
    assert texels.tolist() == [[0, 1, 2], [3, 4, SOLID + 5], [6, 7, 8], [9, 10, SOLID + 11]]
    assert from_texels(plane, texels, 2)["mixture"].tolist() == arrays["mixture"].tolist()


def test_the_digest_of_a_world_without_motion_is_that_of_its_materials() -> None:
    world = World(3, 4, ("atoms",))
    world["material"][1, 2:] = world.materials["stone"]
    lanes = header_lanes(4, 3, 0, 0) + plane_lanes(world["material"], PLANES["material"].number)
    assert world.digest() == digest_text(lanes)


def test_in_words_names_all_components_of_a_cell() -> None:
    world = random_atoms(3, 3)
    world["velocity"][1, 2] = 3, -2
    assert value_text(world["velocity"][1, 2]) == "(3, -2)"
    assert value_text(world["grain"][0, 0]) == str(int(world["grain"][0, 0]))


TAKE_APART_AND_MAKE = """
layout(std430, binding = 0) buffer Words { int words[]; };
void main()
{
    uint i = 6u * gl_GlobalInvocationID.x;
    if (i >= words.length())
        return;
    uint word = uint(words[i]);
    words[i + 1u] = int(material_of(word));
    words[i + 2u] = velocity_of(word).x;
    words[i + 3u] = velocity_of(word).y;
    words[i + 4u] = int(grain_of(word));
    uint made = cell_word(material_of(word), velocity_of(word), grain_of(word));
    bool apart = (MASK_MATERIAL ^ MASK_VELOCITY ^ MASK_GRAIN) == 0xFFFFFFFFu;
    bool placed = (word & MASK_GRAIN) >> SHIFT_GRAIN == grain_of(word);
    words[i + 5u] = int(apart && placed ? made : ~word);
}
"""


def test_glsl_packs_and_unpacks_words_as_the_host_does(device: Device) -> None:
    values = np.random.default_rng(1).integers(0, 2**32, 500, np.uint32)
    values[:4] = 0, 2**32 - 1, word(0, -128, 127, 0), word(255, 127, -128, 255)
    words = np.zeros((500, 6), np.uint32)
    words[:, 0] = values
    with device:
        buffer = device.context.buffer(words.tobytes())
        probe(device, cell_glsl() + TAKE_APART_AND_MAKE, group_size=(64, 1)).dispatch((500, 1), [], {}, [buffer])
        got = np.frombuffer(buffer.read(), np.int32).reshape(500, 6)
        buffer.release()
    fields = unpack(CELLS, values[None])
    np.testing.assert_array_equal(got[:, 1], fields["material"][0])
    np.testing.assert_array_equal(got[:, 2:4], fields["velocity"][0])
    np.testing.assert_array_equal(got[:, 4], fields["grain"][0])
    np.testing.assert_array_equal(got[:, 5].astype(np.uint32), values)
