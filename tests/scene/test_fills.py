"""Fills and maps: the cells that they change, and later fills over earlier ones."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from gpufluid import FULL, oracle
from gpufluid.core.errors import SceneError
from gpufluid.rules.heat import water_temperature

WALL, STONE = 1, 2


def fill(material: str, at: tuple[int, int], size: tuple[int, int], more: str = "") -> str:
    return f'[[fill]]\nshape = "rectangle"\nat = {list(at)}\nsize = {list(size)}\nmaterial = "{material}"\n{more}\n'


def test_water_is_mass_and_a_wall_is_a_material(read) -> None:
    world = read("size = [4, 3]\n" + fill("water", (1, 0), (2, 2)) + fill("wall", (0, 2), (4, 1))).world
    assert world["material"].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [WALL] * 4]
    assert world["mass"].tolist() == [[0, FULL, FULL, 0], [0, FULL, FULL, 0], [0] * 4]


@pytest.mark.parametrize("later", ["wall", "water", "empty", "stone"])
@pytest.mark.parametrize("earlier", ["wall", "water", "empty", "stone"])
def test_a_later_fill_replaces_an_earlier_one_wholly(read, earlier: str, later: str) -> None:
    both = read("size = [3, 1]\n" + fill(earlier, (0, 0), (3, 1)) + fill(later, (0, 0), (3, 1))).world
    alone = read("size = [3, 1]\n" + fill(later, (0, 0), (3, 1))).world
    assert both.digest() == alone.digest()
    both.validate()


@pytest.mark.parametrize(("amount", "units"), [("0", 0), ("0.5", FULL // 2), ("2", 2 * FULL), ("1000", 1000 * FULL)])
def test_amount_is_the_mass_of_each_cell(read, amount: str, units: int) -> None:
    world = read("size = [2, 2]\n" + fill("water", (0, 0), (2, 2), f"amount = {amount}")).world
    assert (world["mass"] == units).all()


LAWS = {
    "flow": 'rules = ["flow"]',
    "inertia": 'rules = ["flow", "inertia"]',
    "inertia first": 'rules = ["inertia", "flow"]',
}


@pytest.mark.parametrize("gravity", ["down", "up", "left", "right"])
@pytest.mark.parametrize("rule", LAWS)
def test_water_below_a_surface_is_at_rest(read, rule: str, gravity: str) -> None:
    """Water of one surface on both sides of a block, filled in two parts, holds still to the last unit."""
    high = {"down": (0, 7), "up": (0, 0), "left": (0, 0), "right": (7, 0)}[gravity]
    size = (9, 5) if gravity in ("down", "up") else (5, 9)
    surface = {"down": 7, "up": 4, "left": 4, "right": 7}[gravity]
    part = fill("water", high, size, f"surface = {surface}")
    lower = {"down": (0, 9), "up": (0, 0), "left": (0, 0), "right": (9, 0)}[gravity]
    again = fill("water", lower, (9, 3) if gravity in ("down", "up") else (3, 9), f"surface = {surface}")
    block = fill("stone", (3, 3), (6, 6)) if gravity in ("down", "right") else fill("stone", (2, 2), (3, 3))
    laws = f'size = {[9, 12] if gravity in ("down", "up") else [12, 9]}\ngravity = "{gravity}"\n{LAWS[rule]}\n'
    world = read(laws + part + again + block).world
    before = world["mass"].copy()
    assert len(np.unique(before[before > 0])) == 5
    assert (oracle.step(world, 3)["mass"] == before).all()


@pytest.mark.parametrize("amount", [0.0001, 0.03, 1 / 3, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("law", ["flow", "[flow]\nmax_mass = 0.8\nmax_compress = 0.5\n", "inertia"])
def test_water_below_a_surface_of_partly_full_cells_is_at_rest(read, law: str, amount: float) -> None:
    laws = LAWS[law] + "\n" if law in LAWS else law
    amount *= 0.8 if "max_mass" in law else 1
    scene = read(f"size = [3, 9]\n{laws}" + fill("water", (0, 3), (3, 6), f"amount = {amount}\nsurface = 3\n"))
    assert not scene.remarks
    before = scene.world["mass"].copy()
    assert before[3, 0] == round(amount * FULL)
    assert (np.diff(before[4:, 0]) > 0).all()
    assert (oracle.step(scene.world, 3)["mass"] == before).all()


@pytest.mark.parametrize(
    ("law", "amount", "full"),
    [(LAWS["inertia"], "1.5", "1"), (LAWS["flow"], "1.001", "1"), ("[flow]\nmax_mass = 0.8", "1", "0.8")],
)
def test_a_surface_of_cells_that_are_more_than_full_gives_a_remark(read, law: str, amount: str, full: str) -> None:
    (remark,) = read(
        f"size = [3, 3]\n{law}\n" + fill("water", (0, 1), (3, 2), f"amount = {amount}\nsurface = 1")
    ).remarks
    assert f"fill[0].surface: 'water' does not rest with amount = {amount}: a full cell holds {full} here" in remark


def test_cells_above_a_surface_hold_the_amount(read) -> None:
    world = read(
        f"size = [1, 5]\n{LAWS['flow']}\n" + fill("water", (0, 0), (1, 5), "amount = 0.5\nsurface = 2\n")
    ).world
    half, step = FULL // 2, world.fixed("flow")["max_compress"]
    assert world["mass"][:3, 0].tolist() == [half, half, half]
    assert world["mass"][4, 0] - world["mass"][3, 0] == step


@pytest.mark.parametrize(
    "laws", ['rules = ["atoms"]', 'rules = ["mixture"]', 'gravity = "off"', 'rules = ["flow", "atoms"]']
)
def test_a_surface_without_effect_gives_a_remark(read, laws: str) -> None:
    material = "oil" if "flow" in laws else "water"
    text = f"size = [2, 2]\n{laws}\n" + fill(material, (0, 0), (1, 2), "surface = 0")
    (remark,) = read(text).remarks
    assert "fill[0].surface: has no effect" in remark


NOISE = '[[fill]]\nshape = "noise"\nscale = 3\ncover = 0.5\nmaterial = "{}"\n{}\n'


@pytest.mark.parametrize("within", ["wall", "water", "empty"])
def test_only_in_changes_no_cell_of_another_material(read, within: str) -> None:
    """The left third is wall, the middle water, the rest empty; a noise of stone changes only one of them."""
    ground = "size = [30, 10]\n" + fill("wall", (0, 0), (10, 10)) + fill("water", (10, 0), (10, 10))
    before = read(ground).world
    after = read(ground + NOISE.format("stone", f'only_in = "{within}"')).world
    first = {"wall": 0, "water": 10, "empty": 20}[within]
    changed = after["material"] == STONE
    assert changed[:, first : first + 10].sum() > 20
    assert changed[:, first : first + 10].sum() == changed.sum()
    for name in before.fields:
        assert (after[name][~changed] == before[name][~changed]).all()


def test_noise_differs_between_fills_and_follows_the_seed(read) -> None:
    text = "size = [30, 30]\nseed = {}\n{}"
    one = read(text.format(1, NOISE.format("stone", ""))).world["material"] == STONE
    other = read(text.format(2, NOISE.format("stone", ""))).world["material"] == STONE
    both = read(text.format(1, NOISE.format("wall", "") + NOISE.format("stone", ""))).world["material"] == STONE
    again = read(text.format(2, NOISE.format("stone", "")), seed=1).world["material"] == STONE
    assert one.sum() == other.sum() == both.sum()
    assert (one != other).any()
    assert (one != both).any()
    assert (one == again).all()


MAP = '[map]\nimage = "map.png"\nlegend = { "#808080" = "wall", "#3070E0" = "water", "#ffffff" = "empty" }\n'
GREY, BLUE, WHITE = (0x80, 0x80, 0x80), (0x30, 0x70, 0xE0), (255, 255, 255)


@pytest.fixture
def pixels(tmp_path) -> np.ndarray:
    """A picture of 7 by 5 beside the scene; returns which colour (0 to 2) each pixel has."""
    choice = np.random.default_rng(1).integers(0, 3, (5, 7))
    Image.fromarray(np.array([GREY, BLUE, WHITE], np.uint8)[choice]).save(tmp_path / "map.png")
    return choice


@pytest.mark.parametrize("size", ["", "size = [7, 5]\n"])
def test_each_pixel_of_a_map_sets_one_cell(read, pixels: np.ndarray, size: str) -> None:
    world = read(size + MAP).world
    np.testing.assert_array_equal(world["material"] == WALL, pixels == 0)
    np.testing.assert_array_equal(world["mass"], np.where(pixels == 1, FULL, 0))


@pytest.mark.parametrize("mode", ["P", "RGBA"])
@pytest.mark.usefixtures("pixels")
def test_a_map_may_be_a_palette_or_an_opaque_picture(read, tmp_path, mode: str) -> None:
    wanted = read(MAP).world.digest()
    with Image.open(tmp_path / "map.png") as picture:
        converted = picture.quantize(3) if mode == "P" else picture.convert(mode)
    converted.save(tmp_path / "map.png")
    assert read(MAP).world.digest() == wanted


@pytest.mark.usefixtures("pixels")
def test_fills_are_applied_after_the_map(read) -> None:
    world = read(fill("stone", (0, 0), (7, 5)) + MAP).world
    assert (world["material"] == STONE).all()
    assert world.total() == 0


def test_a_map_may_lie_in_a_folder_beside_the_scene(read, pixels: np.ndarray, tmp_path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "map.png").rename(tmp_path / "maps" / "map.png")
    assert read(MAP.replace("map.png", "maps/map.png")).world.total() == (pixels == 1).sum() * FULL


@pytest.mark.usefixtures("pixels")
def test_a_transparent_pixel_is_an_error(read, tmp_path) -> None:
    """The colour of a transparent pixel is not intended, so such a picture is an error."""
    with Image.open(tmp_path / "map.png") as picture:
        see_through = picture.convert("RGBA")
    see_through.putpixel((3, 2), (0x80, 0x80, 0x80, 0))
    see_through.save(tmp_path / "map.png")
    with pytest.raises(SceneError, match=r"scene\.toml:2: map\.image: .*\(3, 2\)"):
        read(MAP)


def test_a_fill_gives_water_with_heat_its_temperature(read) -> None:
    laws = 'size = [4, 2]\nrules = ["flow", "atoms", "heat"]\n'
    warm = fill("water", (0, 0), (2, 1), "temperature = 60\namount = 0.5")
    world = read(laws + fill("water", (0, 0), (4, 2)) + warm).world
    full = world.new_amount(60.0)["water_heat"]
    assert world["water_heat"].tolist() == [[full // 2, full // 2, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(water_temperature(world.laws, world["mass"], world["water_heat"])[0, :2], 60 * 8)
    world.validate()


def test_the_temperature_of_water_has_an_effect_only_beside_heat(read) -> None:
    warm = fill("water", (0, 0), (2, 1), "temperature = 60")
    heated = 'size = [4, 2]\nrules = ["flow", "atoms", "heat"]\n'
    assert not read(heated + warm).remarks
    assert "has no effect" in str(read('size = [4, 2]\nrules = ["flow", "atoms"]\n' + warm).remarks)


def test_parts_of_a_mixture_have_the_temperature_of_the_fill_or_of_their_material(read) -> None:
    """Of a mixture in one cell each part brings its heat; what is replaced takes its own away."""
    laws = 'size = [4, 2]\nrules = ["mixture", "atoms", "heat"]\n'
    lava = fill("lava", (0, 0), (3, 1))
    water = fill("water", (1, 0), (1, 1), "temperature = 60\namount = 0.5\nmix = true")
    again = fill("lava", (2, 0), (1, 1), "amount = 0.25\nmix = true")
    world = read(laws + lava + water + again).world
    hot, warm = (world.new_amount(degrees)["water_heat"] for degrees in (1200.0, 60.0))
    assert world["water_heat"].tolist() == [[hot, hot + warm // 2, hot // 4, 0], [0, 0, 0, 0]]
    assert world["mixture"][world.mixture["lava"], 0].tolist() == [FULL, FULL, FULL // 4, 0]
    world.validate()


def test_a_map_gives_its_temperature_to_amounts(read, pixels: np.ndarray) -> None:
    for rules in ("flow", "mixture"):
        laws = f'rules = ["{rules}", "atoms", "heat"]\n'
        world = read(laws + MAP.replace("[map]\n", "[map]\ntemperature = 60\n")).world
        full = world.new_amount(60.0)["water_heat"]
        assert (world["water_heat"] == np.where(pixels == 1, full, 0)).all(), rules
