"""Columns of small numbers, by material, packed into words: on the device a look-up costs as much as a load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Word:
    """What one word holds of each material.

    Args:
        parts: the columns from the lowest bits on, each with its number of bits; 32 in all at most.
        signed: those of them that may be negative.
    """

    parts: Mapping[str, int]
    signed: frozenset[str] = frozenset()

    def packed(self, columns: Mapping[str, Sequence[int]]) -> list[int]:
        """A word a material, from columns by name."""
        words, shift = [0] * len(next(iter(columns.values()))), 0
        for name, bits in self.parts.items():
            mask = (1 << bits) - 1
            words = [word | (part & mask) << shift for word, part in zip(words, columns[name], strict=True)]
            shift += bits
        return words

    def part(self, words: Sequence[int] | np.ndarray, name: str) -> np.ndarray:
        """One column again, int32."""
        shift, bits = self._place(name)
        part = (np.asarray(words, np.int64) >> shift) & ((1 << bits) - 1)
        negative = (part >> (bits - 1)) & (name in self.signed)
        return (part - (negative << bits)).astype(np.int32)

    def glsl(self, table: str) -> str:
        """Two functions a column, for the table of this name.

        ``<column>_in(word)`` takes it from one of its words, ``<column>_of(material)`` looks the word up.
        Shifts and masks, because software OpenGL takes several times as long over ``bitfieldExtract``.
        """
        looked_up = (f"int {name}_of(int material) {{ return {name}_in({table}[material]); }}\n" for name in self.parts)
        return self.parts_glsl() + "".join(looked_up)

    def parts_glsl(self) -> str:
        """Only the first of the two: ``<column>_in(word)``."""
        lines = []
        for name in self.parts:
            shift, bits = self._place(name)
            if name in self.signed:
                found = f"int(word << {32 - shift - bits}) >> {32 - bits}"
            else:
                found = f"int(word >> {shift} & {(1 << bits) - 1:#x}u)"
            lines.append(f"int {name}_in(uint word) {{ return {found}; }}\n")
        return "".join(lines)

    def _place(self, name: str) -> tuple[int, int]:
        before = list(self.parts)[: list(self.parts).index(name)]
        return sum(self.parts[other] for other in before), self.parts[name]
