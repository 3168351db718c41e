"""`Look`: the choices of a picture that do not depend on the world."""

from __future__ import annotations

from dataclasses import dataclass

from gpufluid.core.errors import UsageError, shown


@dataclass(frozen=True, slots=True)
class Look:
    """The choices of a picture that do not depend on the world. They change no state.

    Args:
        tint: whether warm matter is tinted red and cold matter blue, in a world of rule heat.
    Raises: UsageError: a choice of another type.
    """

    tint: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.tint, bool):
            raise UsageError(f"tint: {shown(self.tint)}; expected True or False")

    def uniforms(self) -> dict[str, int]:
        """The uniforms of the drawing shaders."""
        return {"tint": int(self.tint)}
