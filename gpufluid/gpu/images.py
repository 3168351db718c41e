"""Images and their generated GLSL accessors. No shader calls ``imageLoad`` or ``imageStore`` itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from gpufluid.core.errors import ShaderError
from gpufluid.core.fields import FIELDS, Plane
from gpufluid.gpu.bindings import Bindable
from gpufluid.gpu.buffer_textures import BufferTexture
from gpufluid.gpu.textures import ArrayTexture, PlaneTexture

Access = Literal["readonly", "writeonly", "both", "shared"]
"""The access of a shader to an image. ``shared``: some invocations of a pass write it and others read it."""

Part = Literal["", "old", "new"]
"""The old or the new state of a ping-pong pair; empty: the image is not part of a pair."""


@dataclass(frozen=True, slots=True)
class _Format:
    """The GLSL types and conversions of an image format.

    Args:
        prefix: prefix of the image's GLSL type.
        value: the GLSL type of a texel.
        loaded: the swizzle after an ``imageLoad``.
        stored: the vector of four components that ``imageStore`` takes for a ``value``.
    """

    prefix: str
    value: str
    loaded: str
    stored: str


_FORMATS = {
    "r8ui": _Format("u", "uint", ".r", "uvec4(value)"),
    "r32ui": _Format("u", "uint", ".r", "uvec4(value)"),
    "r32i": _Format("i", "int", ".r", "ivec4(value)"),
    "rg32ui": _Format("u", "uvec2", ".rg", "uvec4(value, 0u, 0u)"),
    "rgba32ui": _Format("u", "uvec4", "", "value"),
    "rgba8": _Format("", "vec4", "", "value"),
}

_IN_ROWS = """// The texel of a cell in a buffer with rows of cells; one that does not exist for a cell outside.
int texel_in_rows(ivec2 at, int row) { return uint(at.x) < uint(row) ? at.y * row + at.x : -1; }
"""

_ATOMIC = {"min": "Min", "max": "Max", "and": "And", "or": "Or", "add": "Add"}
"""Atomic operations whose result does not depend on their order, with OpenGL's names."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image as a shader sees it.

    Args:
        name: the name of its content, which its accessors have in their names.
        format: GLSL image format.
        access: the access of the shader.
        part: its part of a ping-pong pair.
        plane: the plane of the state that it holds; None: it holds no state.
        is_table: whether it is the same for all worlds of a batch; else each world has a block of its own in it.
        in_buffer: whether it shows a `BufferTexture`.
        fours: of such a one, whether a texel has four cells of a row.
    """

    name: str
    format: str
    access: Access
    part: Part = ""
    plane: Plane | None = None
    is_table: bool = False
    in_buffer: bool = False
    fours: bool = False

    @classmethod
    def of(cls, plane: Plane, access: Access, part: Part = "") -> Self:
        """The image of a plane."""
        return cls(plane.name, plane.image, access, part, plane)

    def holding(self, texture: PlaneTexture, fours: bool = False) -> Self:
        """The image for a texture like this one; with ``fours``, if it lies in a buffer, with four cells in a texel."""
        in_buffer = isinstance(texture, BufferTexture)
        return replace(self, in_buffer=in_buffer, fours=fours and in_buffer)

    def bound(self, texture: PlaneTexture) -> Bindable:
        """The object to bind for a texture. Raises ShaderError: only one of the two is for a buffer, or for layers."""
        if self.in_buffer != isinstance(texture, BufferTexture):
            raise ShaderError(
                f"the image {self.full_name} and its texture differ in whether the plane lies in a buffer"
            )
        if self._layered != isinstance(texture, ArrayTexture):
            raise ShaderError(f"the image {self.full_name} and its texture differ in whether the plane has layers")
        if not isinstance(texture, BufferTexture):
            return texture
        return texture.fours if self.fours else texture.single

    @property
    def full_name(self) -> str:
        """Its name and its part of a pair, such as ``mass_old``; unique among the images of a shader."""
        return f"{self.name}{'_' * bool(self.part)}{self.part}"

    @property
    def variable(self) -> str:
        """The name of its GLSL variable, which only generated text uses."""
        return f"image_{self.full_name}"

    @property
    def row(self) -> str:
        """The name of the uniform with the number of cells in a row, of a plane in a buffer."""
        return f"row_of_{self.full_name}"

    @property
    def block(self) -> str:
        """The uniform with the size in texels of a world's block in it, in programs for a batch."""
        return f"block_{self.full_name}"

    @property
    def _first(self) -> str:
        """The variable with the first texel of a world's block in it, in programs for a batch."""
        return f"first_of_{self.full_name}"

    @property
    def finds_first(self) -> str:
        """The assignment of the first texel of a world's block to its variable, in programs for a batch."""
        return f"{self._first} = batch_block * {self.block};"

    def declare(self, binding: int, batched: bool = False) -> str:
        """Its GLSL declaration with a binding; in programs for a batch also that of uniform `block`."""
        qualifier = {"both": "", "shared": "coherent "}.get(self.access, f"{self.access} ")
        texel = f"rgba{self.format[1:]}" if self.fours else self.format
        shape = "Buffer" if self.in_buffer else "2DArray" if self._layered else "2D"
        kind = f"{_FORMATS[self.format].prefix}image{shape}"
        declared = f"layout({texel}, binding = {binding}) {qualifier}uniform {kind} {self.variable};\n"
        if self.in_buffer:
            return f"{declared}uniform int {self.row};\n"
        if not batched or self.is_table:
            return declared
        return f"{declared}uniform ivec2 {self.block};\nivec2 {self.finds_first}\n"

    def accessors(self, batched: bool = False) -> str:
        """Its GLSL accessor functions; `images_glsl` describes them."""
        if self.fours:
            return self._accessors_of_fours()
        form, name = _FORMATS[self.format], self.name
        given, at = ("ivec2 cell, int layer", "cell") if self._layered else ("ivec2 at", "at")
        whole = f"imageSize({self.variable}){'.xy' * self._layered}"
        if batched and not self.is_table:
            at, whole = f"atlas_texel({at}, {self.block}, {self._first})", self.block
        if self.in_buffer:
            at, whole = f"texel_in_rows({at}, {self.row})", f"ivec2({self.row}, {whole} / {self.row})"
        if self._layered:
            at = f"ivec3({at}, layer)"
        word = f"{name}_texel" if self._marks_solids else name
        text = f"ivec2 size_of_{name}() {{ return {whole}; }}\n" if self.part != "new" else ""
        if self.access != "writeonly":
            verb = "load_next" if self.part == "new" else "load"
            found = f"imageLoad({self.variable}, {at}){form.loaded}"
            text += f"{form.value} {verb}_{word}({given}) {{ return {found}; }}\n"
        if self.access != "readonly":
            stored = f"imageStore({self.variable}, {at}, {form.stored})"
            text += f"void store_{word}({given}, {form.value} value) {{ {stored}; }}\n"
        if self._marks_solids:
            text += self._amount_accessors(given, given.replace("ivec2 ", "").replace("int ", ""))
        if self.access == "shared":
            for word, operation in _ATOMIC.items():
                found = f"imageAtomic{operation}({self.variable}, {at}, value)"
                text += f"{form.value} atomic_{word}_{name}({given}, {form.value} value) {{ return {found}; }}\n"
            found = f"imageAtomicCompSwap({self.variable}, {at}, compared, value)"
            words = f"{form.value} compared, {form.value} value"
            text += f"{form.value} atomic_swap_{name}({given}, {words}) {{ return {found}; }}\n"
        return text + self._field_accessors()

    def _accessors_of_fours(self) -> str:
        """Its accessor functions, if a texel has four cells of a row."""
        at, four, text = f"texel_in_rows(at, {self.row}) >> 2", f"{_FORMATS[self.format].prefix}vec4", ""
        if self.access != "writeonly":
            verb = "load_next" if self.part == "new" else "load"
            text += f"{four} {verb}_four_{self.name}(ivec2 at) {{ return imageLoad({self.variable}, {at}); }}\n"
        if self.access != "readonly":
            stored = f"imageStore({self.variable}, {at}, value)"
            text += f"void store_four_{self.name}(ivec2 at, {four} value) {{ {stored}; }}\n"
        return text

    @property
    def _layered(self) -> bool:
        return self.plane is not None and self.plane.layered

    @property
    def _marks_solids(self) -> bool:
        return self.plane is not None and self.plane.marks_solids

    def _amount_accessors(self, given: str, at: str) -> str:
        """Load and store amounts where a texel also says whether the cell is solid."""
        name, texel, text = self.name, f"load_{self.name}_texel({at})", ""
        if self.access != "writeonly" and self.part != "new":
            text += f"int load_{name}({given}) {{ return amount_of_texel({texel}); }}\n"
            text += f"int load_free_{name}({given}) {{ return free_of_texel({texel}); }}\n"
            text += f"bool load_{name}_is_solid({given}) {{ return is_solid_texel({texel}); }}\n"
        if self.access == "both" and not self.part:
            kept = f"store_{name}_texel({at}, texel_with(value, load_{name}_is_solid({at})))"
            text += f"void store_{name}({given}, int value) {{ {kept}; }}\n"
        if self.access != "readonly":
            text += f"void store_free_{name}({given}, int value) {{ store_{name}_texel({at}, value); }}\n"
        return text

    def _field_accessors(self) -> str:
        """The functions ``load_<field>(cell)`` of a plane whose texels are words."""
        if self.plane is None or not self.plane.packed or self.access == "writeonly" or self.part == "new":
            return ""
        loaded = f"load_{self.name}(cell)"
        fields = [(name, FIELDS[name].glsl_type) for name in self.plane.fields]
        return "".join(f"{kind} load_{name}(ivec2 cell) {{ return {name}_of({loaded}); }}\n" for name, kind in fields)


def images_of(planes: Iterable[Plane], textures: Mapping[str, PlaneTexture]) -> tuple[Image, ...]:
    """The images of planes that a shader reads; ``textures``: those of all planes of the world, by name."""
    return tuple(Image.of(plane, "readonly").holding(textures[plane.name]) for plane in planes)


def images_glsl(images: Sequence[Image], batched: bool = False) -> str:
    """``generated/images.glsl``: the images that a shader binds, and their accessors.

    - ``load_<name>(at)`` and ``store_<name>(at, value)`` read and write the texel at a position. For a ping-pong pair
      ``load`` reads the old state and ``store`` writes the new state.
    - ``load_next_<name>(at)`` reads a texel that the pass will overwrite, for passes that fetch ahead.
    - In a plane with layers the position is ``cell, layer``.
    - ``load_<field>(cell)`` reads one field of a plane whose texels are words.
    - In a plane of amounts with derived bit ``solid``, ``load_<name>`` reads the amount, in a solid cell the enclosed
      amount; ``load_free_<name>`` reads the amount that can flow, 0 in solid cells; ``load_<name>_is_solid`` tests
      whether the cell is solid. ``store_<name>`` changes only the amount; ``store_free_<name>`` writes the amount of a
      cell that is known not to be solid, and reads nothing. ``load_<name>_texel``, ``load_next_<name>_texel`` and
      ``store_<name>_texel`` read and write amount and bit together.
    - ``atomic_min_<name>(at, value)``, ``atomic_max_``, ``atomic_and_``, ``atomic_or_`` and ``atomic_add_`` change a
      texel that other invocations of the pass may change too, and return its previous value. So does
      ``atomic_swap_<name>(at, compared, value)``, which writes only over the value ``compared``.
    - ``size_of_<name>()`` is the image's size in texels.
    - With four cells in a texel ``FOURS`` is defined, and there are only ``load_four_<name>(at)``,
      ``load_next_four_<name>(at)`` and ``store_four_<name>(at, value)``: a vector with the texels of the four cells
      of a row among which is ``at``.

    Args:
        images: in the order of their bindings.
        batched: whether the program is for a batch: then positions are those of the world that
            ``generated/world.glsl`` names, see `gpu.atlas`.
    """
    decoded = any(image.plane is not None and (image.plane.packed or image.plane.marks_solids) for image in images)
    text = '#include "generated/cell.glsl"\n' if decoded else ""
    text += '#include "generated/world.glsl"\n' if batched else ""
    text += "#define FOURS\n" * any(image.fours for image in images)
    text += _IN_ROWS if any(image.in_buffer for image in images) else ""
    text += "".join(image.declare(binding, batched) for binding, image in enumerate(images))
    text += "".join(image.accessors(batched) for image in images)
    return text + (_find_blocks([image for image in images if not image.is_table]) if batched else "")


def _find_blocks(images: Sequence[Image]) -> str:
    """The function that finds the blocks of another world, once for all accesses: compilers may leave this in loops."""
    return f"void find_blocks() {{ {' '.join(image.finds_first for image in images)} }}\n"
