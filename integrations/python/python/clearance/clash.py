"""Clash checks: which parts of a building or a machine are where others are, or nearer than a rule allows.

`check` measures, and writes the report that the command ``clearance clash`` writes, byte for byte. `clearance.ray` does the same on
many machines. Lengths and points are in the unit and the axes of the files, in double precision.

The tools of a check are here as well: a `Check` has `blocks <Check.blocks>` of pairs whose boxes are near, and measures any of them.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _clearance
from ._arrays import listed, number, poses, rows, threads_of, whole, wholes
from ._rows import Column, Rows, clash_record
from ._shape import Choice, Shape3, native

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Assembly", "Check", "Clashes", "Inner", "Kind", "Report", "Rules", "check"]

#: The path of a file or folder.
AnyPath = Union[str, "os.PathLike[str]"]
#: A shape, or the vertices (V, 3) and the triangles (T, 3) of a mesh.
Model = Union[Shape3, tuple[ArrayLike, ArrayLike]]
#: Is told how much is done, and how much there is in all: the costs of blocks.
Progress = Callable[[int, int], object]

#: How many blocks each thread takes before all are written.
_BLOCKS_AT_ONCE = 8


class Kind(IntEnum):
    """What sort of clash it is."""

    DUPLICATE = 0
    """Both are the same thing at the same place: each lies in the other."""
    INSIDE = 1
    """One lies wholly in the other, and their surfaces do not cross."""
    OVERLAP = 2
    """They overlap, deeper than the tolerance."""
    TOUCH = 3
    """They touch: neither the overlap nor the gap is greater than the tolerance."""
    CLEARANCE = 4
    """They are nearer than the rule allows."""


class Inner(IntEnum):
    """Which part lies in the other one."""

    NEITHER = 0
    A = 1
    B = 2


class Clashes(Rows):
    """Clashes, sorted by the numbers of their parts.

    ``rows`` is a structured array; the attributes are views of its fields. Slices and masks select rows.
    """

    __slots__ = ("_names",)

    a: Column[np.int64] = Column("The number of the first part in its assembly, whose parts are sorted by their names.")
    b: Column[np.int64] = Column("The number of the second part in its assembly.")
    kind: Column[np.uint8] = Column("What sort of clash it is: see `Kind`.")
    inner: Column[np.uint8] = Column("Which part lies in the other one: see `Inner`.")
    proven: Column[np.bool_] = Column("Whether it is of this kind for every distance between the bounds.")
    allowed: Column[np.bool_] = Column("Whether the rule allows it: a touch where no clearance is asked for.")
    rule: Column[np.int32] = Column("The number of the rule that decides; -1 where there are no rules.")
    group: Column[np.int32] = Column("The number of the first clash of its group, counted from 0; -1 where groups are not known.")
    distance: Column[np.float32] = Column("The signed distance: a gap, or minus the depth of an overlap.")
    lower: Column[np.float32] = Column("The true distance is at least this.")
    upper: Column[np.float32] = Column("The true distance is at most this.")
    point_a: Column[np.float64] = Column("The point of a that is nearest to b, or deepest in it; (N, 3).")
    point_b: Column[np.float64] = Column("The point of b that is nearest to a, or deepest in it; (N, 3).")
    normal: Column[np.float32] = Column("The unit vector from a to b along which b leaves a on the shortest way; (N, 3).")

    def __init__(self, rows: NDArray[Any], names: tuple[NDArray[np.object_], NDArray[np.object_]]) -> None:
        super().__init__(rows)
        self._names = names

    def __getitem__(self, selected: Any) -> Self:
        return type(self)(np.asarray(self.rows[selected]), self._names)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.rows, self._names)

    def __repr__(self) -> str:
        counts = np.bincount(np.atleast_1d(self.kind), minlength=len(Kind)).tolist()
        kinds = ", ".join(f"{count} {kind.name.lower()}" for kind, count in zip(Kind, counts) if count)
        return f"<Clashes: {sum(counts)}, {np.count_nonzero(~self.allowed)} not allowed ({kinds})>"

    @property
    def kind_name(self) -> NDArray[np.str_]:
        """The names of the kinds: ``"DUPLICATE"``, ``"INSIDE"`` and so on."""
        return np.asarray(np.array([kind.name for kind in Kind])[self.kind])

    @property
    def name_a(self) -> Any:
        """The name of the first part of each clash, (N,)."""
        return self._names[0][self.a]

    @property
    def name_b(self) -> Any:
        """The name of the second part of each clash, (N,)."""
        return self._names[1][self.b]


class Assembly:
    """Named parts, sorted by their names. Of parts with equal names the second one gets ``#2`` behind its name, and so on.

    Made by `read` or by `from_arrays`. Assemblies can be pickled: parts that share a mesh still do when they are read again.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _clearance.ClashAssembly) -> None:
        self._native = native

    @classmethod
    def read(cls, path: AnyPath, *, skip_invalid: bool = False, threads: int | None = None) -> Self:
        """The parts of a folder of STL, OBJ and glTF files, of one such file, or of a scene (``.json``).

        Parameters
        ----------
        path
            The folder or file. Of a folder, the name of a part is its path without the ending.
        skip_invalid
            Whether parts that are not valid are left out, and listed in `refused`, rather than an error.
        threads
            How many threads read; one for each processor by default.

        Raises
        ------
        OSError
            The file cannot be read at all, or has no parts.
        ValueError
            A part that is not valid, by file and name.
        """
        name = os.fspath(path)
        return cls(_clearance.ClashAssembly.read(name, bool(skip_invalid), threads_of(threads)))

    @classmethod
    def from_arrays(
        cls,
        names: Sequence[str],
        shapes: Model | Sequence[Model] | Choice[Shape3],
        poses: ArrayLike | None = None,
        *,
        name: str = "arrays",
    ) -> Self:
        """Parts from arrays.

        Parameters
        ----------
        names
            The names of N parts.
        shapes
            A `Shape` of ``clearance.dim3`` or a mesh for all parts, a list of one for each, or a `Choice` of shapes. A mesh is a tuple
            of vertices (V, 3) in double precision and triangles (T, 3), whole numbers, counterclockwise seen from outside. Closed
            meshes have an inside.
        poses
            Where the parts are: rows ``x y z qx qy qz qw`` (N, 7), matrices (N, 4, 4), or positions (N, 3). Left out, shapes are
            where their numbers say.
        name
            The name of the assembly in reports.

        Raises
        ------
        ValueError, TypeError
            With the argument and the row.

        Examples
        --------
        >>> from clearance.clash import Assembly
        >>> from clearance.dim3 import Shape
        >>> pipes = Assembly.from_arrays(["pipe 1", "pipe 2"], Shape.capsule(1.0, 0.1), [[0, 0, 0], [0.3, 0, 0]])
        >>> pipes.names
        ['pipe 1', 'pipe 2']
        """
        parts = [f"{part}" for part in listed("names", names, "names")]
        models, index = _models(shapes, len(parts))
        if index.size != len(parts):
            raise ValueError(f"shapes: has {index.size} rows, must have {len(parts)}, as many as names")
        placed = _poses(poses, len(parts))
        return cls(_clearance.ClashAssembly.of_parts(f"{name}", parts, models, index, placed))

    def select(self, numbers: ArrayLike) -> Self:
        """The assembly of some parts, by their numbers, (N,)."""
        return type(self)(self._native.select(wholes("numbers", numbers, np.uint32).reshape(-1)))

    @property
    def name(self) -> str:
        """The name in reports: that of the file or folder."""
        return self._native.name

    @property
    def names(self) -> list[str]:
        """The names of the parts, sorted."""
        return self._native.names

    @property
    def forms(self) -> list[str]:
        """Of each part ``solid``, or ``surface`` if it has no inside."""
        return self._native.forms

    @property
    def refused(self) -> list[str]:
        """What was left out by ``skip_invalid``, and why."""
        return self._native.refused

    @property
    def triangles(self) -> int:
        """How many triangles and other convex shapes the parts are made of."""
        return self._native.triangles

    @property
    def fingerprint(self) -> int:
        """A number that is equal for equal parts, on every platform, and most likely not for others."""
        return self._native.fingerprint

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<Assembly {self.name!r} of {len(self)} parts>"

    def __reduce__(self) -> tuple[Any, tuple[type[Self], bytes]]:
        return _restored, (type(self), self._native.to_bytes())


def _restored(cls: type[Assembly], stored: bytes) -> Assembly:
    return cls(_clearance.ClashAssembly.from_bytes(stored))


def _models(shapes: Any, count: int) -> tuple[list[Any], NDArray[np.uint32]]:
    """What the native half makes shapes from, and which of them each part has."""
    if isinstance(shapes, Choice):
        return [_model(f"shapes.shapes[{k}]", shape) for k, shape in enumerate(shapes.shapes)], shapes.index
    if isinstance(shapes, (Shape3, tuple)):
        return [_model("shapes", shapes)], np.zeros(count, np.uint32)
    models = [_model(f"shapes[{k}]", shape) for k, shape in enumerate(listed("shapes", shapes, "shapes or meshes"))]
    return models, np.arange(len(models), dtype=np.uint32)


def _model(argument: str, given: Any) -> Any:
    if not isinstance(given, tuple):
        return native(argument, given, Shape3)
    if len(given) != 2:
        raise ValueError(f"{argument}: is a tuple of {len(given)}, must be of two, vertices and triangles")
    vertices = rows(f"{argument}: vertices", given[0], 3)
    triangles = wholes(f"{argument}: triangles", given[1], np.uint32)
    if triangles.shape[1:] != (3,):
        raise ValueError(f"{argument}: triangles: has shape {triangles.shape}, must be (T, 3)")
    return vertices, triangles.reshape(-1)


def _poses(given: ArrayLike | None, count: int) -> NDArray[np.float64]:
    if given is None:
        return np.zeros((count, 3))
    placed, alone = poses("poses", given, 3)
    if alone or len(placed) != count:
        found = "a single pose" if alone else f"{len(placed)} rows"
        raise ValueError(f"poses: has {found}, must have {count} rows, as many as names")
    return placed


class Rules:
    """Which parts are checked against which, and what is allowed between them.

    The first rule that matches a pair decides about it. Where there are rules, pairs that none matches are not checked. Without
    any (`everything`), everything is checked against everything.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _clearance.ClashRules) -> None:
        self._native = native

    @classmethod
    def everything(cls, clearance: float = 0.0, tolerance: float | None = None) -> Self:
        """Everything is checked against everything.

        Parameters
        ----------
        clearance
            How far apart parts must be, >= 0, in the unit of their coordinates.
        tolerance
            Up to which depth and gap they count as touching, >= 0, and below the clearance unless that is 0. By default 1e-5 of the
            size of the larger part, and at most a tenth of the clearance unless that is 0.
        """
        most = None if tolerance is None else number("tolerance", tolerance)
        return cls(_clearance.ClashRules(None, number("clearance", clearance), most, None))

    @classmethod
    def read(cls, path: AnyPath) -> Self:
        """The rules of a file."""
        text = Path(path).read_text(encoding="utf-8")
        return cls(_clearance.ClashRules(text, 0.0, None, os.fspath(path)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rules of a JSON text, as files have them."""
        return cls(_clearance.ClashRules(text, 0.0, None, None))

    @classmethod
    def from_dict(cls, rules: Mapping[str, Any]) -> Self:
        """The rules of a mapping, as JSON has them.

        Examples
        --------
        >>> from clearance.clash import Rules
        >>> Rules.from_dict({"rules": [{"between": ["pipe*", "beam*"], "clearance": 0.05}]}).names
        ['pipe*, beam*']
        """
        return cls.parse(json.dumps(rules))

    @property
    def names(self) -> list[str]:
        """The names of the rules by their numbers."""
        return self._native.names

    def __repr__(self) -> str:
        return f"<Rules {self.names!r}>"

    def __reduce__(self) -> tuple[Any, tuple[type[Self], tuple[Any, ...]]]:
        return _restored_rules, (type(self), self._native.parts)


def _restored_rules(cls: type[Rules], parts: tuple[Any, ...]) -> Rules:
    return cls(_clearance.ClashRules(*parts))


class Report(NamedTuple):
    """What a check found."""

    clashes: Clashes
    """All clashes."""
    summary: dict[str, Any]
    """How much was found: the last line of the report."""


#: What `Check.report` is given: from the number of the first block on, what `Check.found` returned of some blocks after others.
Source = Callable[[int], Iterator[bytes]]


class Check:
    """A check of an assembly in itself, or of two against each other: what `check` is made of.

    Costs some microseconds for each part and each pair of near boxes. Nothing is measured yet.

    Examples
    --------
    >>> from clearance.clash import Assembly, Check
    >>> from clearance.dim3 import Shape
    >>> balls = Assembly.from_arrays(["a", "b"], Shape.ball(1.0), [[0, 0, 0], [1.5, 0, 0]])
    >>> whole = Check(balls)
    >>> len(whole), int(whole.blocks["pairs"].sum()), whole.measure(0).distance.tolist()
    (1, 1, [-0.5])
    """

    __slots__ = ("_b", "_native", "_names", "blocks", "rules")

    def __init__(self, a: Assembly, b: Assembly | None = None, rules: Rules | None = None) -> None:
        #: The rules.
        self.rules = Rules.everything() if rules is None else rules
        second = None if b is None else b._native
        self._native = _clearance.ClashCheck(a._native, second, self.rules._native)
        names = np.array(a.names, dtype=object)
        self._names = names, names if b is None else np.array(b.names, dtype=object)
        #: The blocks: ``first`` and ``last`` pair, (2,), the number of ``pairs``, and the ``cost``, which is about proportional to
        #: the time that it takes to measure them.
        self.blocks: NDArray[Any] = self._native.blocks().view(_BLOCK)

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def unmatched(self) -> list[str]:
        """The patterns of the rules that match no part: mistakes in typing, most likely."""
        return self._native.unmatched

    def found(self, first: int, last: int, *, threads: int | None = None) -> bytes:
        """What is found in the blocks from ``first`` up to, not including, ``last``, as `report` takes it."""
        most = len(self.blocks)
        begin = whole("first", first, 0, most)
        end = whole("last", last, begin, most)
        return self._native.measure((begin, end), threads_of(threads))

    def measure(self, block: int, *, threads: int | None = None) -> Clashes:
        """The clashes of a block by its number. Their groups are not known. The lock of the interpreter is released meanwhile."""
        number = whole("block", block, 0, len(self.blocks) - 1)
        found = self.found(number, number + 1, threads=threads)
        return Clashes(_clearance.ClashCheck.rows(found).view(clash_record()), self._names)

    def report(
        self, out: AnyPath, source: Source, *, resume: bool = False, since: AnyPath | None = None, bcf: AnyPath | None = None
    ) -> Report:
        """Writes a report with what a source finds.

        Parameters
        ----------
        out
            The file: lines of JSON if it ends in ``.jsonl``, a table with commas if it ends in ``.csv``; other endings are refused. The
            partial report is beside it, with ``.partial`` behind the name, until all blocks are written.
        source
            Is called once with the number of blocks that are written already, and yields what `found` returns of the others, in the
            order of the blocks, for any number of blocks at a time. If it raises, the partial report stays, and can be resumed.
        resume
            Whether to go on with a partial report if there is one.
        since
            The report of an earlier run in lines of JSON, or its BCF file: faults are new, known or moved in the report and its summary, and those
            that are solved are listed.
        bcf
            A file for the faults as issues of BCF 3.0, with z upwards: a topic for each, whose view shows both parts and the curves in which
            they cross. Statuses that others gave in the BCF file of ``since`` stay.
        """
        refuse_outputs(out, bcf, since)
        files = _Files(os.fspath(out), bool(resume), None if since is None else os.fspath(since), None if bcf is None else os.fspath(bcf))
        summary, found = self._native.report(files, source)
        return Report(Clashes(found.view(clash_record()), self._names), json.loads(summary))


class _Files(NamedTuple):
    """What the native half writes and reads of a report."""

    path: str
    resume: bool
    since: str | None
    bcf: str | None


def refuse_outputs(out: AnyPath | None, bcf: AnyPath | None, *inputs: Any) -> None:
    """Refuses files to write that cannot be written, or that are inputs, before anything is read or measured."""
    paths = [os.fspath(path) for path in inputs if isinstance(path, (str, os.PathLike))]
    _clearance.refuse_outputs(None if out is None else os.fspath(out), None if bcf is None else os.fspath(bcf), paths)


_BLOCK = np.dtype([("first", "i8", 2), ("last", "i8", 2), ("pairs", "i8"), ("cost", "i8")])


def assembly_of(argument: str, given: Assembly | AnyPath) -> Assembly:
    """An assembly, or that of a path."""
    if isinstance(given, Assembly):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Assembly.read(given)
    raise TypeError(f"{argument}: is {type(given).__name__}, must be an Assembly or a path")


def check_of(a: Assembly | AnyPath, b: Assembly | AnyPath | None, rules: Rules | AnyPath | None) -> Check:
    """The check of assemblies and rules, or of their paths."""
    if rules is not None and not isinstance(rules, Rules):
        if not isinstance(rules, (str, os.PathLike)):
            raise TypeError(f"rules: is {type(rules).__name__}, must be Rules (Rules.from_dict makes them) or a path")
        rules = Rules.read(rules)
    return Check(assembly_of("a", a), None if b is None else assembly_of("b", b), rules)


def check(
    a: Assembly | AnyPath,
    b: Assembly | AnyPath | None = None,
    rules: Rules | AnyPath | None = None,
    *,
    out: AnyPath | None = None,
    threads: int | None = None,
    resume: bool = False,
    since: AnyPath | None = None,
    bcf: AnyPath | None = None,
    progress: Progress | None = None,
) -> Report:
    """Checks the parts of an assembly among themselves, or against those of another one.

    Parameters
    ----------
    a, b
        The assemblies, or paths that `Assembly.read` reads.
    rules
        The rules, or the path of a file of them; everything against everything by default.
    out
        The report, as `Check.report` writes it, which ends in ``.jsonl`` or ``.csv``: the bytes are those of the command ``clearance clash`` with the same paths. Left out,
        nothing stays but what is returned.
    threads
        How many threads measure; one for each processor by default. Clashes and bytes do not depend on it.
    resume
        Whether to go on with the partial report of a run that was ended, by Ctrl-C or in whatever way.
    since, bcf
        An earlier run to compare with, and a file for issues of BCF 3.0: see `Check.report`.
    progress
        Is called with how much is done, and how much there is in all, whenever some blocks are written.

    Returns
    -------
    Report
        ``clashes`` and ``summary``.

    Raises
    ------
    FileExistsError
        There is a partial report, and ``resume`` is not given; or at ``out`` is something else than a report.
    OSError
        A file that cannot be read or written.
    ValueError, TypeError
        With the argument and what is wrong.
    KeyboardInterrupt
        About 50 ms after Ctrl-C while pairs are measured or grouped or issues are written, once those are that were begun. The partial report stays.

    Notes
    -----
    The lock of the interpreter is released while blocks are measured. Costs O(n log n) for n parts, and some microseconds for a
    pair of near parts; all clashes are held in memory in the end, 104 bytes each.

    Examples
    --------
    >>> from clearance.clash import Assembly, check
    >>> from clearance.dim3 import Shape
    >>> at = [[0, 0, 0], [2, 0, 0], [3.5, 0, 0]]
    >>> found = check(Assembly.from_arrays(["wall", "slab", "duct"], Shape.cuboid([1, 1, 1]), at)).clashes
    >>> found
    <Clashes: 2, 1 not allowed (1 overlap, 1 touch)>
    >>> list(zip(found.name_a, found.name_b, found.kind_name.tolist()))
    [('duct', 'slab', 'OVERLAP'), ('slab', 'wall', 'TOUCH')]
    """
    refuse_outputs(out, bcf, a, b, rules, since)
    made = check_of(a, b, rules)
    most = os.cpu_count() or 1
    step = _BLOCKS_AT_ONCE * (threads_of(threads) or most)

    def source(done: int) -> Iterator[bytes]:
        for first in range(done, len(made), step):
            last = min(first + step, len(made))
            tell(progress, made, first)
            yield made.found(first, last, threads=threads)
        tell(progress, made, len(made))

    if out is not None:
        return made.report(out, source, resume=resume, since=since, bcf=bcf)
    with tempfile.TemporaryDirectory(prefix="clearance-") as folder:
        return made.report(Path(folder) / "report.jsonl", source, since=since, bcf=bcf)


def tell(progress: Progress | None, made: Check, done: int) -> None:
    """Tells how much is done once the blocks before a number are."""
    if progress is not None:
        costs = made.blocks["cost"]
        progress(int(costs[:done].sum()), int(costs.sum()))
