"""`CellArray`: the array of a field as users get it. An assignment of other than whole numbers in range is an error."""

# ruff: noqa: ANN401 -- the signatures are those of NumPy, which takes anything

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import FIELDS


def check_values(name: str, dtype: np.dtype, values: object) -> np.ndarray:
    """Check values before they are written into a field; NumPy itself would cut off fractions, and wrap.

    Args:
        name: the name of the field.
        dtype: the type of the array that is written, of integers.
        values: a number, or an array of any shape.
    Returns: the values as an array of the same shape, of any integer type.
    Raises: WorldError: no whole numbers, or numbers beyond the type; it says what was found and what was expected.
    """
    given = np.asarray(values)
    if given.dtype == dtype:
        return given
    if given.dtype.kind not in "iu":
        raise WorldError(name, f"{_found(values)}; {_wanted(name, dtype)}")
    limits = np.iinfo(dtype)
    for extreme in (given.min(), given.max()) if given.size else ():
        if not limits.min <= extreme <= limits.max:
            raise WorldError(name, f"{extreme}; {_wanted(name, dtype)}")
    return given


def _found(values: object) -> str:
    """Values for a message: a number as it is, an array by its type."""
    return f"an array of {values.dtype}" if isinstance(values, np.ndarray) and values.ndim else shown(values)


def _wanted(name: str, dtype: np.dtype) -> str:
    """The numbers that an array of a field takes, for a message."""
    limits, one, unit = np.iinfo(dtype), FIELDS[name].one, FIELDS[name].unit
    counted = f"; 1.0 {unit} are {one}" if one > 1 else ""
    return f"expected whole numbers from {limits.min} to {limits.max}{counted}"


_LIMITS = {
    np.dtype(kind): (int(np.iinfo(kind).min), int(np.iinfo(kind).max))
    for kind in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32)
}
"""The least and the largest number of each type that a field can have."""


class CellArray(np.ndarray):
    """A view of a world's array that checks what is written into it; in all else a NumPy array.

    Checked are assignments, also to parts and views of it, and ``fill``, ``put``, ``np.copyto``, ``np.putmask``,
    ``np.place`` and ``np.fill_diagonal``. A copy is not checked. Results of arithmetic are plain arrays, and
    ``np.asarray`` gives the same cells as a plain array, without checks.
    """

    _field: tuple[str, np.ndarray] | None
    """The name of the field, and the world's array; None: memory of its own."""

    @classmethod
    def of(cls, name: str, array: np.ndarray) -> Self:
        """A view of the array of a field: (height, width) or with more axes, of the field's type."""
        found = array.view(cls)
        found._field = name, array
        return found

    def __array_finalize__(self, source: object) -> None:
        self._field = getattr(source, "_field", None)

    @property
    def _checked(self) -> str | None:
        """The name of the field to whose cells this array refers; None: a copy, or another type than integers."""
        if self._field is None or self.dtype.kind not in "iu" or not np.may_share_memory(self, self._field[1]):
            return None
        return self._field[0]

    def _check(self, values: object) -> None:
        low, high = _LIMITS.get(self.dtype, (1, 0))
        if type(values) is int and low <= values <= high:
            return  # as a loop over cells assigns many times
        name = self._checked
        if name is not None:
            check_values(name, self.dtype, values)

    def __setitem__(self, index: Any, values: Any) -> None:
        self._check(values)
        super().__setitem__(index, values)

    def fill(self, value: Any) -> None:
        """Set all elements to a value. Raises WorldError: no whole number of the field's type."""
        self._check(value)
        super().fill(value)

    def put(self, indices: Any, values: Any, /, mode: Any = "raise") -> None:
        """Set the elements at indices of the flat array. Raises WorldError: no whole numbers of the field's type."""
        self._check(values)
        super().put(indices, values, mode)

    def __array_ufunc__(self, function: np.ufunc, method: Any, *inputs: Any, **options: Any) -> Any:
        """Compute with plain arrays, so that results are plain; an output of other numbers is an error of its field."""
        outputs = options.get("out", ())
        if method == "at" and isinstance(inputs[0], CellArray):  # unlike other methods it cuts off fractions
            outputs = inputs[:1]
            inputs[0]._check(inputs[2] if len(inputs) > 2 else 0)
        if "out" in options:
            options["out"] = tuple(map(_plain, outputs))
        try:
            found = getattr(function, method)(*map(_plain, inputs), **options)
        except (TypeError, OverflowError):
            name, dtype = next(((each._checked, each.dtype) for each in outputs if _is_checked(each)), (None, None))
            if name is None or dtype is None:
                raise
            calculation = f"{function.__name__}({', '.join(map(_found, inputs))})"
            raise WorldError(name, f"{calculation}; {_wanted(name, dtype)}") from None
        if "out" not in options:
            return found
        return outputs[0] if len(outputs) == 1 else outputs

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Check the values that a function of NumPy writes without an assignment."""
        if function in _WRITERS:
            position, key = _WRITERS[function]
            target, values = args[0] if args else self, args[position] if len(args) > position else kwargs.get(key)
            if isinstance(target, CellArray):
                target._check(values)
        return super().__array_function__(function, types, args, kwargs)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a plain array: a copy belongs to no world."""
        return np.asarray(self).__reduce_ex__(protocol)


_WRITERS: dict[Callable[..., Any], tuple[int, str]] = {
    np.copyto: (1, "src"),
    np.putmask: (2, "values"),
    np.place: (2, "vals"),
    np.fill_diagonal: (1, "val"),
}
"""The functions of NumPy that write without an assignment: position and name of the argument with the values."""


def _is_checked(each: object) -> bool:
    return isinstance(each, CellArray) and each._checked is not None


def _plain(each: Any) -> Any:
    return np.asarray(each) if isinstance(each, CellArray) else each
