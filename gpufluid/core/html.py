"""Small pieces of HTML that notebooks show. Every text is escaped; colours of the page stay as they are."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape

Row = tuple[str, str, str]
"""A row of a table: the name of something, how much of it there is, and the unit."""


def table(rows: Sequence[Row], colours: Sequence[str | None] = ()) -> str:
    """A table of quantities.

    Args:
        rows: the rows.
        colours: a colour of each row, such as "#3070e0", shown beside its name; None: none. May be left out.
    """
    lines = []
    for number, (name, value, unit) in enumerate(rows):
        colour = colours[number] if colours else None
        square = "" if colour is None else _square(colour)
        lines.append(
            f'<tr><td style="text-align:left">{square}{escape(name)}</td>'
            f'<td style="text-align:right">{escape(value)}</td><td style="text-align:left">{escape(unit)}</td></tr>'
        )
    return f"<table>{''.join(lines)}</table>"


def _square(colour: str) -> str:
    shape = "display:inline-block;width:0.8em;height:0.8em;margin-right:0.5em;border:1px solid #8888"
    return f'<span style="{shape};background:{escape(colour)}"></span>'


def picture(png: bytes, about: str) -> str:
    """A picture, contained in the text; ``about`` says to those who cannot see it what it shows."""
    data = b64encode(png).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{escape(about)}" style="max-width:100%">'


def note(text: str) -> str:
    """A sentence in place of a picture or a table."""
    return f'<div style="max-width:40em;font-style:italic">{escape(text)}</div>'


def panel(title: str, lines: Sequence[str], *parts: str) -> str:
    """A title, lines of text below it, and parts side by side, which are HTML."""
    text = "".join(f"<div>{escape(line)}</div>" for line in lines)
    row = "".join(f"<div>{part}</div>" for part in parts)
    flow = "display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start;margin-top:0.5em"
    return f'<div><div><strong>{escape(title)}</strong></div>{text}<div style="{flow}">{row}</div></div>'
