"""What OpenGL 4.3 promises to every compute shader, and the check that none asks for more.

A driver may allow more; a shader that needs it would run on some machines only. So the check looks at no device: the
passes of all rules are held to it at import, and every program when it is made.

Source: OpenGL 4.3 core specification, chapter 23, the minimum values of its tables of implementation limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpufluid.core.errors import ShaderError

LIMITS = {"images": 8, "storage blocks": 8, "uniform blocks": 12}
"""What one compute shader may bind of each kind."""


def check_bound(shader: str, bound: Mapping[str, Sequence[str]]) -> None:
    """Refuse a shader that binds more than every device has room for.

    Args:
        shader: its name, or that of the pass.
        bound: by the kinds of `LIMITS`, the names of what it binds.
    Raises: ShaderError: names the shader, all that it binds of that kind, and the limit.
    """
    for kind, names in bound.items():
        if len(names) > LIMITS[kind]:
            listed = f"{len(names)} {kind} ({', '.join(names)})"
            raise ShaderError(f"{shader}: binds {listed}; OpenGL 4.3 promises {LIMITS[kind]} to a compute shader")
