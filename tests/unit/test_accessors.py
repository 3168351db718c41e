"""Shaders access images by generated accessors only, and each accessor reads or writes the right texels."""

from __future__ import annotations

import re

import moderngl
import numpy as np
import pytest
from support.probes import probe

from gpufluid.core.errors import ShaderError
from gpufluid.core.fields import DISPLACED_BIT, FIELDS, PLANES, SOLID_BIT
from gpufluid.core.packing import cell_glsl, pack, to_texels
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu.device import Device
from gpufluid.gpu.images import Access, Image, images_glsl
from gpufluid.gpu.textures import FORMATS, layers_of, make_plane, make_texture

FILES = {str(path.relative_to(shaders_folder())): path for path in shaders_folder().rglob("*.[cg][ol]*")}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
RAW = re.compile(r"\bimage(?:Load|Store|Size|Atomic\w+)\b|\bimage_\w+")
FIXED_PLACE = re.compile(r"world_(?:tick|seed)\(ivec2\(")
PLACE_IN_DISPATCH = re.compile(r"\bgl_(?:GlobalInvocationID|WorkGroupID|NumWorkGroups)\b")
SIZE = (5, 3)  # columns, rows


def raw_calls(text: str) -> list[str]:
    """Image calls, and names of images, outside comments."""
    return RAW.findall(COMMENT.sub("", text))


def test_no_shader_calls_image_functions_directly() -> None:
    found = {name: raw_calls(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
    assert not {name: calls for name, calls in found.items() if calls}


def test_no_shader_reads_tick_or_seed_at_a_fixed_place() -> None:
    """So several worlds, each with its own tick and seed, can share one texture later."""
    assert not [name for name, path in FILES.items() if FIXED_PLACE.search(path.read_text(encoding="utf-8"))]


def test_passes_take_their_cells_from_functions_that_know_the_batch() -> None:
    """The third number of a group is the index of a world, and a list of tiles has the tiles of all worlds."""
    found = {name for name, path in FILES.items() if PLACE_IN_DISPATCH.search(COMMENT.sub("", path.read_text()))}
    assert found == {"lib/tiles.glsl"}  # `listed`, which finds the entry of a group


def test_the_check_finds_direct_calls() -> None:
    text = images_glsl([Image.of(PLANES["mass"], "both"), Image("labels", "r32ui", "shared")])
    assert {"imageLoad", "imageStore", "imageSize", "imageAtomicMin", "image_mass", "image_labels"} <= set(
        raw_calls(text)
    )
    assert raw_calls("// imageLoad(cells, at)\n/* imageStore(\n) */ load_cells(at);") == []
    assert len(FILES) > 100
    assert {"atoms/cpu/lines.glsl", "atoms/settle.comp"} <= FILES.keys()


@pytest.mark.parametrize(
    ("image", "declaration"),
    [
        (Image("a", "r8ui", "readonly"), "layout(r8ui, binding = 3) readonly uniform uimage2D image_a;\n"),
        (Image("b", "r32i", "writeonly"), "layout(r32i, binding = 3) writeonly uniform iimage2D image_b;\n"),
        (Image("c", "rgba8", "both", "new"), "layout(rgba8, binding = 3) uniform image2D image_c_new;\n"),
        (Image("d", "r32ui", "shared"), "layout(r32ui, binding = 3) coherent uniform uimage2D image_d;\n"),
    ],
)
def test_an_image_is_declared_by_its_format_and_access(image: Image, declaration: str) -> None:
    assert image.declare(3) == declaration


@pytest.mark.parametrize(
    ("access", "has", "lacks"),
    [
        ("readonly", "load_a", "store_a"),
        ("writeonly", "store_a", "load_a"),
        ("both", "store_a", "atomic"),
        ("shared", "atomic_or_a", "load_next"),
    ],
)
def test_accessors_follow_the_access(access: Access, has: str, lacks: str) -> None:
    text = Image("a", "r32ui", access).accessors()
    assert has in text
    assert lacks not in text


COPY = """
void main()
{
    ivec2 at = invocation();
    if (all(lessThan(at, size_of_texels())))
        store_texels(at, load_texels(at));
}
"""


def texels_of(texture: moderngl.Texture, image: str) -> np.ndarray:
    """The texels of a texture, [row, column] or [row, column, component]."""
    components, _, dtype = FORMATS[image]
    found = np.frombuffer(texture.read(alignment=1), dtype).reshape(texture.height, texture.width, components)
    return found[:, :, 0] if components == 1 else found


@pytest.mark.parametrize("image", FORMATS)
def test_the_old_state_is_loaded_and_the_new_one_stored(device: Device, image: str) -> None:
    components, _, dtype = FORMATS[image]
    drawn = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 4 * components), np.uint8)
    texels = drawn[:, :, :components] if dtype == "uint8" else drawn.view(dtype)
    images = [Image("texels", image, "readonly", "old"), Image("texels", image, "writeonly", "new")]
    with device:
        old, new = make_texture(device, *SIZE, image, texels), make_texture(device, *SIZE, image)
        probe(device, COPY, images).dispatch(SIZE, [old, new], {})
        np.testing.assert_array_equal(texels_of(new, image).reshape(texels.shape), texels)


NEXT = """
void main()
{
    if (all(lessThan(invocation(), size_of_texels())))
        store_texels(invocation(), 1000 * load_texels(invocation()) + load_next_texels(invocation()));
}
"""


def test_the_texel_to_be_overwritten_can_be_loaded(device: Device) -> None:
    images = [Image("texels", "r32i", "readonly", "old"), Image("texels", "r32i", "both", "new")]
    with device:
        old = make_texture(device, *SIZE, "r32i", np.full((SIZE[1], SIZE[0]), 2))
        new = make_texture(device, *SIZE, "r32i", np.full((SIZE[1], SIZE[0]), 3))
        probe(device, NEXT, images).dispatch(SIZE, [old, new], {})
        assert (texels_of(new, "r32i") == 2003).all()


@pytest.mark.parametrize("plane", ["material", "cells", "warmth"])
def test_each_field_of_a_plane_has_an_accessor(device: Device, plane: str) -> None:
    """A packed word has as many accessors as fields; a plane of one field has that one."""
    record, drawn = PLANES[plane], np.random.default_rng(2)
    arrays = {}
    for name in record.fields:
        low, high = np.iinfo(FIELDS[name].dtype).min, np.iinfo(FIELDS[name].dtype).max
        shape = FIELDS[name].shape(SIZE[1], SIZE[0])
        arrays[name] = drawn.integers(low, high, shape, FIELDS[name].dtype, endpoint=True)
    parts = [(name, component) for name in record.fields for component in range(FIELDS[name].components)]
    writes = ""
    for number, (name, component) in enumerate(parts):
        part = f"[{component}]" if FIELDS[name].components > 1 else ""
        writes += f"        words[{len(parts)} * place + {number}] = int(load_{name}(cell){part});\n"
    text = f"""
layout(std430, binding = 0) buffer Words {{ int words[]; }};
void main()
{{
    ivec2 cell = invocation();
    int place = {SIZE[0]} * cell.y + cell.x;
    if (cell.x < {SIZE[0]} && cell.y < {SIZE[1]}) {{
{writes}    }}
}}
"""
    with device:
        texture = make_texture(device, *SIZE, record.image, pack(record, arrays))
        buffer = device.context.buffer(reserve=4 * len(parts) * SIZE[0] * SIZE[1])
        texts = {"generated/cell.glsl": cell_glsl()}
        probe(device, text, [Image.of(record, "readonly")], texts=texts).dispatch(SIZE, [texture], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.int32).reshape(SIZE[1], SIZE[0], len(parts))
    for place, (name, component) in enumerate(parts):
        expected = arrays[name].reshape(SIZE[1], SIZE[0], -1)[:, :, component]
        np.testing.assert_array_equal(found[:, :, place], expected, err_msg=name)


LAYERS = """
void main()
{
    ivec2 cell = invocation();
    if (all(lessThan(cell, size_of_mixture())))
        for (int layer = 0; layer < 3; layer++)
            store_free_mixture(cell, layer, load_mixture(cell, 2 - layer));
}
"""


def test_an_amount_is_loaded_and_stored_by_cell_and_layer(device: Device) -> None:
    columns, rows = SIZE
    layers = np.arange(3 * rows * columns).reshape(3, rows, columns)
    images = [Image.of(PLANES["mixture"], "readonly", "old"), Image.of(PLANES["mixture"], "writeonly", "new")]
    with device:
        old = make_plane(device, PLANES["mixture"], SIZE, 3, layers.reshape(-1, columns))
        new = make_plane(device, PLANES["mixture"], SIZE, 3)
        probe(device, LAYERS, images, texts={"generated/cell.glsl": cell_glsl()}).dispatch(SIZE, [old, new], {})
        np.testing.assert_array_equal([texels_of(layer, "r32i") for layer in layers_of(new)], layers[::-1])


def test_a_texture_without_the_layers_of_its_plane_is_an_error(device: Device) -> None:
    with device:
        flat, layered = make_texture(device, *SIZE, "r32i"), make_plane(device, PLANES["mixture"], SIZE, 3)
        for plane, texture in (("mixture", flat), ("mass", layered)):
            with pytest.raises(ShaderError, match=f"the image {plane} and its texture differ in whether .* has layers"):
                Image.of(PLANES[plane], "readonly").bound(texture)


AMOUNTS = """
layout(std430, binding = 0) buffer Words { int words[]; };
void main()
{
    ivec2 cell = invocation();
    int place = 4 * (size_of_mass().x * cell.y + cell.x);
    if (any(greaterThanEqual(cell, size_of_mass())))
        return;
    words[place] = load_mass(cell);
    words[place + 1] = load_free_mass(cell);
    words[place + 2] = int(load_mass_is_solid(cell));
    words[place + 3] = load_mass_texel(cell);
    if (cell.y == 0)
        store_mass(cell, 9);
    else if (cell.y == 1)
        store_mass_texel(cell, texel_with(8, true));
    else
        store_free_mass(cell, 7);
}
"""


def test_an_amount_and_its_marks_are_loaded_and_stored_apart(device: Device) -> None:
    """A view may be drawn in the middle of a tick, while `DISPLACED_BIT` is set."""
    columns, rows = SIZE
    mass = np.arange(3, 3 + rows * columns, dtype=np.int32).reshape(rows, columns)
    solid = np.arange(rows * columns).reshape(rows, columns) % 2 == 1
    texels = to_texels(PLANES["mass"], {"mass": mass}, solid)
    texels[0] |= 1 << DISPLACED_BIT
    with device:
        texture = make_texture(device, columns, rows, "r32i", texels)
        buffer = device.context.buffer(reserve=16 * rows * columns)
        program = probe(device, AMOUNTS, [Image.of(PLANES["mass"], "both")], texts={"generated/cell.glsl": cell_glsl()})
        program.dispatch(SIZE, [texture], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.int32).reshape(rows, columns, 4)
        after = texels_of(texture, "r32i")
    np.testing.assert_array_equal(found[:, :, 0], mass)
    np.testing.assert_array_equal(found[:, :, 1], np.where(solid, 0, mass))
    np.testing.assert_array_equal(found[:, :, 2], solid)
    np.testing.assert_array_equal(found[:, :, 3], texels)
    mark = np.int32(-1 << SOLID_BIT)
    np.testing.assert_array_equal(after[0], np.where(solid[0], 9 | mark, 9))  # the amount alone has changed
    assert (after[1] == (8 | mark)).all()
    assert (after[2] == 7).all()


def test_a_write_only_amount_has_no_accessor_that_keeps_the_solid_bit() -> None:
    """A pass that cannot read the old texel has no ``store_mass``: it could not keep the solid bit."""
    new = Image.of(PLANES["mass"], "both", "new").accessors()
    assert "void store_mass(" not in new
    assert "void store_free_mass(" in new
    assert "load_next_mass_texel" in new
    assert "load_mass" not in new
    assert "void store_" not in Image.of(PLANES["mass"], "readonly").accessors()


ATOMICS = """
void main()
{
    uint number = uint(invocation().x);
    if (number >= 100u || invocation().y > 0)
        return;
    atomic_min_words(ivec2(0, 0), number + 7u);
    atomic_max_words(ivec2(1, 0), number);
    atomic_and_words(ivec2(2, 0), ~(1u << number % 16u));
    uint before = atomic_or_words(ivec2(3, 0), 1u << number % 8u);
    if (before > 0xFFu)
        store_words(ivec2(4, 0), before);
}
"""


def test_atomic_accessors_give_the_same_result_in_any_order(device: Device) -> None:
    with device:
        words = make_texture(device, 5, 1, "r32ui", np.array([[1000, 0, 0xFFFFFFFF, 0, 5]]))
        probe(device, ATOMICS, [Image("words", "r32ui", "shared")]).dispatch((100, 1), [words], {})
        assert texels_of(words, "r32ui").tolist() == [[7, 99, 0xFFFF0000, 0xFF, 5]]
