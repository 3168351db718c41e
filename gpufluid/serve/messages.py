"""The messages from a page, and their checks. Nothing else than these records passes from a page to the viewer."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from gpufluid.core.errors import UsageError, shortened, shown

MESSAGE_BYTES = 4096
"""Largest message from a page, in bytes of UTF-8."""

SIDE_MOST = 4096
"""Largest side of a page's view of the world, in pixels."""

NAME_MOST = 1000
"""Most characters of a text among the arguments of an action, such as the path of a file in the folder."""

_PIXEL_MOST = 1e6
"""Largest absolute value of a coordinate in pixels, and of a fraction among the arguments of an action."""

Pixel = Annotated[float, Field(ge=-_PIXEL_MOST, le=_PIXEL_MOST, allow_inf_nan=False)]
Number = Annotated[int, Field(ge=0, lt=1 << 32)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Modifier = Literal["ctrl", "alt", "shift", "space"]
Argument = (
    Annotated[str, Field(max_length=NAME_MOST)]
    | bool
    | Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
    | Pixel
    | None
    | Annotated[list[Name | Pixel], Field(max_length=32)]
)


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Pointed(_Message):
    """Args: x, y: pixel of the page's view. modifiers: the keys held. number: of this input, counted by the page."""

    x: Pixel
    y: Pixel
    modifiers: Annotated[tuple[Modifier, ...], Field(max_length=4)] = ()
    number: Number = 0


class Press(_Pointed):
    """A button was pressed over the world."""

    type: Literal["press"]
    button: Literal["left", "right", "middle"] = "left"


class Move(_Pointed):
    """The pointer moved over the world."""

    type: Literal["move"]


class Release(_Pointed):
    """The button was released."""

    type: Literal["release"]
    button: Literal["left", "right", "middle"] = "left"


class Wheel(_Pointed):
    """The wheel turned; ``steps`` is positive away from the user."""

    type: Literal["wheel"]
    steps: Annotated[int, Field(ge=-8, le=8)]


class Key(_Message):
    """A chord was pressed, such as ``ctrl+z``."""

    type: Literal["key"]
    chord: Name
    number: Number = 0


class Act(_Message):
    """A named action with arguments."""

    type: Literal["act"]
    name: Name
    arguments: Annotated[dict[Name, Argument], Field(max_length=8)] = {}
    number: Number = 0


class Size(_Message):
    """The size of the page's view, in pixels."""

    type: Literal["size"]
    width: Annotated[int, Field(ge=1, le=SIDE_MOST)]
    height: Annotated[int, Field(ge=1, le=SIDE_MOST)]


class FrameShown(_Message):
    """The page has shown a frame; ``frame`` is its number."""

    type: Literal["got"]
    frame: Number


class TakeBrush(_Message):
    """The page asks for the brush."""

    type: Literal["brush"]


Message = Press | Move | Release | Wheel | Key | Act | Size | FrameShown | TakeBrush

_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


_TYPES = tuple(get_args(each.model_fields["type"].annotation)[0] for each in get_args(Message))


def read_message(text: str) -> Message:
    """Read a message. Raises: UsageError: it is not valid; the error names the place and repeats little of it."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = f"expected a type among {', '.join(_TYPES)}" if "tag" in first["type"] else first["msg"]
        told = f"message: {shortened(place) + ': ' if place else ''}{said}; found {shown(text)}"
        raise UsageError(" ".join(told.split())) from None
