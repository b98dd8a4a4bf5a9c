"""What is given as arrays: forms, types and the errors that name the argument."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _array(argument: str, given: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError as problem:
        raise ValueError(f"{argument}: {problem}") from None


def floats(argument: str, given: ArrayLike) -> Floats:
    """Real numbers as a contiguous array of float64 in the byte order of the machine; copied only where needed."""
    array = _array(argument, given)
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
    array = _array(argument, given)
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


def bools(argument: str, given: ArrayLike) -> NDArray[np.bool_]:
    """True and false, and nothing that Python takes for one of them."""
    array = _array(argument, given)
    if array.dtype.kind != "b" and array.size:
        raise TypeError(f"{argument}: has values of type {array.dtype}, must be bools")
    return array.astype(np.bool_)


def factors(argument: str, given: ArrayLike, width: int) -> Floats:
    """One factor for all axes, or one for each."""
    array = floats(argument, given)
    if array.shape not in ((), (1,), (width,)):
        raise ValueError(f"{argument}: has shape {array.shape}, must be () or ({width},)")
    return np.ascontiguousarray(np.broadcast_to(array, (width,)))


def number(argument: str, given: Any) -> float:
    """A real number."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{argument}: is {given!r}, must be a number") from None


def listed(argument: str, given: Any, members: str) -> list[Any]:
    """The members of a list. A string is none, although it has letters."""
    if not isinstance(given, (str, bytes)):
        try:
            each = iter(given)
        except TypeError:
            pass
        else:
            return list(each)
    raise TypeError(f"{argument}: is {type(given).__name__}, must be {members}")


def whole(argument: str, given: Any, least: int, most: int) -> int:
    """A whole number in a range."""
    try:
        value = index(given)
    except TypeError:
        raise TypeError(f"{argument}: is {given!r}, must be a whole number") from None
    if not least <= value <= most:
        raise ValueError(f"{argument}: is {value}, must be from {least} to {most}")
    return value


def threads_of(given: int | None) -> int | None:
    """A number of threads, or none for one for each processor."""
    return None if given is None else whole("threads", given, 1, 1024)


def pose(argument: str, given: ArrayLike | None, dim: int) -> Floats:
    """A single pose as a row. Of the plane it may be a matrix (3, 3), which a list of poses cannot be told from."""
    array = None if given is None else floats(argument, given)
    if dim == 2 and array is not None and array.shape == (3, 3):
        return array.reshape(1, 9)
    placed, alone = poses(argument, array, dim)
    if not alone:
        raise ValueError(f"{argument}: is a list, must be a single pose")
    return placed


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
    if dim == 2 and array.shape == (3, 3) and array[2].tolist() == [0.0, 0.0, 1.0]:
        raise ValueError(
            f"{argument}: has shape (3, 3) with the last row 0 0 1, which is a matrix or three rows x y angle: "
            "one matrix must be (1, 3, 3), three poses must then be matrices (3, 3, 3)"
        )
    if array.ndim in (1, 2) and array.shape[-1] in (dim, numbers):
        return array.reshape(-1, array.shape[-1]), array.ndim == 1
    alone = f"({numbers},), (4, 4) or (3,)" if dim == 3 else "(3,) or (2,)"
    forms = f"(N, {numbers}), (N, {side}, {side}), (N, {dim}), or {alone} for one alone"
    raise ValueError(f"{argument}: has shape {array.shape}, must be {forms}")
