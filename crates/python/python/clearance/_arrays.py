"""What is given as arrays: forms, types and the errors that name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def floats(argument: str, given: ArrayLike) -> Floats:
    """Real numbers as a contiguous array of float64 in the byte order of the machine; copied only where needed."""
    try:
        array = np.asarray(given)
    except ValueError as problem:
        raise ValueError(f"{argument}: {problem}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{argument}: has numbers of type {array.dtype}, must be real numbers")
    return np.asarray(array, dtype=np.float64, order="C")


def rows(argument: str, given: ArrayLike, width: int) -> Floats:
    """One row, or rows, of so many numbers: shape (M, width)."""
    array = floats(argument, given)
    if array.shape[-1:] != (width,) or array.ndim > 2:
        raise ValueError(f"{argument}: has shape {array.shape}, must be ({width},) or (N, {width})")
    return array.reshape(-1, width)


def vector(argument: str, given: ArrayLike, width: int) -> Floats:
    """So many numbers."""
    array = floats(argument, given)
    if array.shape != (width,):
        raise ValueError(f"{argument}: has shape {array.shape}, must be ({width},)")
    return array


def wholes(argument: str, given: ArrayLike, dtype: Any) -> NDArray[Any]:
    """Whole numbers as a contiguous array of a type, none of which is out of its range."""
    array = np.asarray(given)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(dtype)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{argument}: has numbers of type {array.dtype}, must be whole numbers")
    limits = np.iinfo(dtype)
    if array.size and (int(array.min()) < limits.min or int(array.max()) > limits.max):
        outside = np.argwhere((array < limits.min) | (array > limits.max))[0]
        place = "".join(f"[{k}]" for k in outside)
        number = array[tuple(outside)]
        raise ValueError(f"{argument}{place}: is {number}, must be from {limits.min} to {limits.max}")
    return np.asarray(array, dtype=dtype, order="C")


def poses(argument: str, given: ArrayLike | None, dim: int) -> tuple[Floats, bool]:
    """Poses as rows that the native half reads, and whether they are a single one."""
    if given is None:
        return np.zeros((1, dim)), True
    array = floats(argument, given)
    numbers, side = (7, 4) if dim == 3 else (3, 3)
    if array.ndim == 3 and array.shape[1:] == (side, side):
        return array.reshape(-1, side * side), False
    if dim == 3 and array.shape == (side, side):
        return array.reshape(1, side * side), True
    if array.ndim in (1, 2) and array.shape[-1] in (dim, numbers):
        return array.reshape(-1, array.shape[-1]), array.ndim == 1
    forms = f"(N, {numbers}), (N, {side}, {side}), (N, {dim}) or one of them alone"
    raise ValueError(f"{argument}: has shape {array.shape}, must be {forms}")
