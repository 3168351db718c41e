"""What is wrong with changes of state that only a whole table of materials can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gpufluid.errors import did_you_mean, shown
from gpufluid.materials import Material, State


def transition_problems(records: Sequence[Material]) -> Iterator[tuple[int, str, str]]:
    """What is wrong with changes of state that only the whole table can show: (number, key, sentence)."""
    named = {record.name: record for record in records}
    for number, record in enumerate(records):
        for way, change in record.transitions.items():
            product = named.get(change.product)
            if product is None or product.state is State.EMPTY:
                hint = did_you_mean(change.product, [name for name in named if name != records[0].name])
                yield number, way, f"product: unknown material {shown(change.product)}{hint}"
                continue
            back = product.below if way == "above" else None
            if back is not None and back.product == record.name and back.threshold > change.threshold:
                to_and_fro = f"{shown(product.name)} becomes {shown(record.name)} again below {back.threshold:g}"
                yield number, way, f"threshold: {change.threshold:g}, but {to_and_fro}: neither would hold still"
            elif product is record:
                yield number, way, f"product: {shown(record.name)} is the material itself"
            elif circle := _circle(record, way, named):
                yield number, way, f"goes round in a circle at once: {' -> '.join(circle)}"


def _circle(start: Material, way: str, named: Mapping[str, Material]) -> list[str] | None:
    """The names along changes without latent heat, from one of a material back to it at one temperature."""
    todo: list[tuple[list[str], str, float, float]] = [([start.name], way, float("-inf"), float("inf"))]
    while todo:
        names, way, low, high = todo.pop()
        change = named[names[-1]].transitions[way]
        low, high = (max(low, change.threshold), high) if way == "above" else (low, min(high, change.threshold))
        if change.latent_units or low >= high:
            continue
        if change.product == start.name:
            return [*names, start.name]
        if change.product in named and change.product not in names:
            todo += [([*names, change.product], each, low, high) for each in named[change.product].transitions]
    return None
