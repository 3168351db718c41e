"""Columns packed into words are unpacked unchanged, in Python and in GLSL."""

from __future__ import annotations

import numpy as np
from support.probes import probe

from gpufluid.gpu.device import Device
from gpufluid.rules.schema import Word

WORD = Word({"first": 5, "signed": 9, "last": 18}, signed=frozenset({"signed"}))
COLUMNS = {"first": [0, 31, 7, 16], "signed": [-256, 255, -1, 0], "last": [0, (1 << 18) - 1, 1, 1 << 17]}


def test_python_unpacks_the_packed_columns() -> None:
    words = WORD.packed(COLUMNS)
    for name, column in COLUMNS.items():
        assert WORD.part(words, name).tolist() == column


def test_glsl_unpacks_columns_as_python_does(device: Device) -> None:
    words = ", ".join(f"{word}u" for word in WORD.packed(COLUMNS))
    places = [(row, name) for row in range(4) for name in COLUMNS]
    stores = "".join(f"    found[{i}] = {name}_of({row});\n" for i, (row, name) in enumerate(places))
    text = f"""const uint TABLE[4] = uint[]({words});
{WORD.glsl("TABLE")}
layout(std430, binding = 0) buffer Found {{ int found[]; }};
void main()
{{
{stores}}}
"""
    with device:
        buffer = device.context.buffer(reserve=4 * 12)
        probe(device, text, group_size=(1, 1)).dispatch((1, 1), [], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.int32).reshape(4, 3)
        buffer.release()
    np.testing.assert_array_equal(found, np.array(list(COLUMNS.values())).T)
