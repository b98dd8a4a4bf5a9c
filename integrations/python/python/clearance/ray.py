"""Clash checks and batches on the machines of a Ray cluster.

The answers are those of one machine, to the last bit, however many workers there are and in whatever order they end: see
`clearance.clash.check` and ``clearance.dim3``. Ray starts, schedules and repeats the work, and moves shapes and results; its dashboard
shows the tasks. A program connects to a cluster by ``ray.init(address=...)``; otherwise Ray starts one on this machine.

Needs ``pip install 'clearance[ray]'``, on the workers as well.
"""

from __future__ import annotations

import inspect
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import ray

from . import _clearance
from ._arrays import poses, whole
from ._rows import Listed, Rows
from ._shape import AnyShape, Choice
from .clash import AnyPath, Assembly, Check, Progress, Report, check_of, refuse_outputs, tell
from .clash import Rules as _Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["batch", "check"]

#: The cost of a shard if there are many: about a second. A worker holds at most about as many triangles at a time.
SHARD_COST = 1 << 20
#: At least so many shards for each processor of the cluster, if there are so many blocks.
_SHARDS_OF_PROCESSOR = 4
#: How many triangles are in an object of the store: some megabytes.
_TRIANGLES_OF_OBJECT = 1 << 17
#: How many triangles a worker keeps for its next shards.
_TRIANGLES_KEPT = 1 << 21
#: After how many seconds a task that has not ended is given to another worker as well; each time after twice as many.
_PATIENCE = 45.0
#: That many times as long as the slowest task so far is not silent: on a busy machine all take long, and copies would keep it busier.
_SLOWER = 4.0
#: How often Ray repeats a task whose worker or machine was lost.
_RETRIES = 8
#: How many results may wait for one before them, for each task that runs.
_WAITING = 16


def check(
    a: Assembly | AnyPath,
    b: Assembly | AnyPath | None = None,
    rules: _Rules | AnyPath | None = None,
    *,
    out: AnyPath,
    resume: bool = False,
    since: AnyPath | None = None,
    bcf: AnyPath | None = None,
    progress: Progress | None = None,
    shard_cost: int | None = None,
    at_once: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Report:
    """`clearance.clash.check` on a cluster: the same clashes, and the same bytes of the report.

    This program, the driver, reads the assemblies, finds the pairs whose boxes are near, and cuts them into shards of about equal
    cost. It puts each mesh into the object store once, many in one object. A worker takes out of these objects the parts of its
    shard, and no others. Results are written as they come, in the order of the pairs.

    Parameters
    ----------
    a, b, rules, since, bcf, progress
        As for `clearance.clash.check`. Only the driver reads files.
    out, resume
        The report, on the machine of the driver. A driver that dies leaves its partial report; a later call with ``resume=True``, one of
        `clearance.clash.check`, or the command with ``--resume`` goes on with it. What was measured but not written is measured again.
    shard_cost
        About how much each task measures, >= 1: the sum of the costs of its blocks. By default some tasks for each processor, but
        no more than about a second. The memory of a worker grows with it.
    at_once
        How many tasks are submitted at a time, >= 1; by default two for each processor of the cluster.
    options
        Of the tasks, as ``ray.remote`` takes them: ``num_cpus``, ``resources``, ``max_retries`` (8 by default), and so on.

    Raises
    ------
    ray.exceptions.RayError
        A shard failed as often as ``max_retries`` allows. The partial report stays.
    OSError, ValueError, TypeError
        As for `clearance.clash.check`.

    Notes
    -----
    A worker or a machine that is lost loses the shards that it was measuring, which others repeat. A shard of a worker that is silent for
    45 seconds, and for four times as long as the slowest so far, is given to another one as well. Workers keep the meshes of their last shards. The driver must stay, and holds all parts.
    """
    refuse_outputs(out, bcf, a, b, rules, since)
    made = check_of(a, b, rules)
    plan = _Plan.of(shard_cost, at_once, options)
    return made.report(out, lambda done: _found(made, done, plan, progress), resume=resume, since=since, bcf=bcf)


class _Plan:
    """How work is cut and submitted."""

    def __init__(self, processors: int) -> None:
        self.processors = processors
        self.at_once = 2 * processors
        self.shard_cost: int | None = None
        self.options: dict[str, Any] = {"max_retries": _RETRIES}

    @classmethod
    def of(cls, shard_cost: int | None, at_once: int | None, options: Mapping[str, Any] | None) -> _Plan:
        if not ray.is_initialized():
            ray.init()
        plan = cls(max(1, int(ray.cluster_resources().get("CPU", 1))))
        if shard_cost is not None:
            plan.shard_cost = whole("shard_cost", shard_cost, 1, 1 << 62)
        if at_once is not None:
            plan.at_once = whole("at_once", at_once, 1, 1 << 20)
        plan.options.update(options or {})
        return plan

    def remote(self, function: Callable[..., Any]) -> Any:
        """The function as Ray runs it."""
        return ray.remote(**self.options)(function)

    def shards(self, costs: NDArray[np.int64], done: int) -> Iterator[tuple[int, int]]:
        """The blocks from ``done`` on in ranges of about equal cost."""
        left = int(costs[done:].sum())
        share = left // (_SHARDS_OF_PROCESSOR * self.processors) + 1
        most = self.shard_cost or min(SHARD_COST, share)
        first, cost = done, 0
        for block in range(done, len(costs)):
            cost += int(costs[block])
            if cost >= most or block + 1 == len(costs):
                yield first, block + 1
                first, cost = block + 1, 0


def _measure(shard: bytes, rules: _Rules, *groups: NDArray[np.uint8]) -> bytes:
    """What a worker does. The groups are in memory that all workers of the machine share."""
    return _clearance.measure_shard(shard, rules._native, list(groups), _shapes())


@cache
def _shapes() -> _clearance.ClashShapes:
    """What a worker keeps from shard to shard."""
    return _clearance.ClashShapes(_TRIANGLES_KEPT)


def _found(made: Check, done: int, plan: _Plan, progress: Progress | None) -> Iterator[bytes]:
    """What is found in all blocks from ``done`` on, in their order."""
    store = _clearance.ClashStore(made._native, _TRIANGLES_OF_OBJECT)
    objects: dict[int, Any] = {}
    measure = plan.remote(_measure)
    shards = list(plan.shards(made.blocks["cost"], done))

    def submit(blocks: tuple[int, int]) -> Any:
        shard, groups = store.shard(made._native, blocks)
        for group in groups:
            if group not in objects:
                objects[group] = ray.put(store.group(group))
        named = measure.options(name=f"clash check, blocks {blocks[0]} to {blocks[1] - 1}")
        return named.remote(shard, made.rules, *(objects[group] for group in groups))

    tell(progress, made, done)
    results = _in_order(submit, shards, plan.at_once)
    for (_, last), found in zip(shards, results):
        yield found
        tell(progress, made, last)


class _Task:
    """The work for an item, which more than one worker may do: all have the same result."""

    def __init__(self, submit: Callable[[Any], Any], item: Any) -> None:
        self.submit: Callable[[], Any] = lambda: submit(item)
        self.copies = [self.submit()]
        self.since = time.monotonic()
        self.patience = _PATIENCE
        self.ended: Any = None

    def notice(self, ended: set[Any], slowest: float) -> float:
        """Takes the first copy that has ended, or begins another one if none has for too long. How many seconds the slowest task took."""
        own = [copy for copy in self.copies if copy in ended]
        took = time.monotonic() - self.since
        if own:
            self.ended = own[0]
            self.cancel()
            return max(slowest, took)
        if took > max(self.patience, _SLOWER * slowest):
            self.copies.append(self.submit())
            self.since, self.patience = time.monotonic(), 2 * self.patience
        return slowest

    def cancel(self) -> None:
        for copy in self.copies:
            if copy is not self.ended:
                ray.cancel(copy)


def _in_order(submit: Callable[[Any], Any], items: Iterable[Any], at_once: int) -> Iterator[Any]:
    """The results of tasks in the order of their items, of which at most so many are submitted at a time.

    Results that wait for one before them stay in the object store. A worker that is silent for a minute is not waited for.
    """
    left = iter(items)
    waiting: deque[_Task] = deque()
    running: list[_Task] = []
    slowest = 0.0
    try:
        while True:
            while len(running) < at_once and len(waiting) < _WAITING * at_once:
                item = next(left, None)
                if item is None:
                    break
                running.append(_Task(submit, item))
                waiting.append(running[-1])
            if not waiting:
                return
            copies = [copy for task in running for copy in task.copies]
            ended = set(ray.wait(copies, timeout=_PATIENCE / 4)[0]) if copies else set()
            for task in running:
                slowest = task.notice(ended, slowest)
            running = [task for task in running if task.ended is None]
            while waiting and waiting[0].ended is not None:
                yield ray.get(waiting.popleft().ended)
    finally:
        for task in running:
            task.cancel()


#: What may have one row for each question.
_SIDES = ("a", "b", "shape")
_POSES = ("poses", "poses_a", "poses_b")
_VECTORS = ("points", "origins", "directions", "motions_a", "motions_b")


def batch(
    function: Callable[..., Any],
    *arguments: Any,
    shard_rows: int = 50_000,
    at_once: int | None = None,
    options: Mapping[str, Any] | None = None,
    **named: Any,
) -> Any:
    """A batch on a cluster: what the function returns for all questions, to the last bit.

    Parameters
    ----------
    function
        ``distance``, ``intersects``, ``contacts``, ``manifolds``, ``closest_points``, ``signed_distance``, ``contains``, ``cast_rays`` or
        ``cast_shapes`` of ``clearance.dim3`` or ``clearance.dim2``.
    arguments, named
        Its arguments, except ``out``. What has one row for each question is cut into shards; what there is one of, and the shapes of a
        `Choice`, is put into the object store once. Each task has one thread unless ``threads`` is given.
    shard_rows
        How many questions each task answers, >= 1.
    at_once, options
        As for `check`.

    Raises
    ------
    ValueError, TypeError
        An argument that is wrong. What a task refuses is named by its row in the shard.

    Examples
    --------
    .. code-block:: python

        near = clearance.ray.batch(distance, gripper, shelf, poses_a, within=0.5)
    """
    most = whole("shard_rows", shard_rows, 1, 1 << 40)
    bound = inspect.signature(function).bind(*arguments, **named)
    given = bound.arguments
    if given.get("out") is not None:
        raise ValueError("out: is given, must be left out: answers come from other machines")
    lengths = {name: _length(name, value, given) for name, value in given.items()}
    listed = {name: length for name, length in lengths.items() if length is not None}
    count = max(listed.values(), default=1)
    for name, length in listed.items():
        if length not in (1, count):
            raise ValueError(f"{name}: has {length} rows, must have 1 or {count}")
    if not listed or 0 in listed.values():
        return function(**given)
    plan = _Plan.of(None, at_once, options)
    given.setdefault("threads", 1)
    cut = {name: given.pop(name) for name, length in listed.items() if length == count}
    models = {name: ray.put(side.shapes) for name, side in cut.items() if isinstance(side, Choice)}
    kept = ray.put(given)
    answer = plan.remote(_answer)

    def submit(first: int) -> Any:
        own = {name: _rows_of(value, slice(first, first + most)) for name, value in cut.items()}
        return answer.remote(function, kept, own, list(models), *models.values())

    return _joined(list(_in_order(submit, range(0, count, most), plan.at_once)), most)


def _answer(function: Callable[..., Any], kept: dict[str, Any], own: dict[str, Any], names: list[str], *models: Any) -> Any:
    """What a worker does."""
    choices = {name: Choice(shapes, own[name]) for name, shapes in zip(names, models)}
    return function(**{**kept, **own, **choices})


def _length(name: str, value: Any, given: Mapping[str, Any]) -> int | None:
    """How many rows an argument has; None if it is the only one of its sort."""
    if value is None or isinstance(value, AnyShape):
        return None
    if name in _SIDES:
        return len(value.index) if isinstance(value, Choice) else len(value)
    if name in _POSES:
        placed, alone = poses(name, value, _dimension(given))
        return None if alone else len(placed)
    if name in _VECTORS and np.ndim(value) > 1:
        return len(value)
    return None


def _dimension(given: Mapping[str, Any]) -> int:
    side = next(given[name] for name in _SIDES if name in given)
    first = side if isinstance(side, AnyShape) else (side.shapes if isinstance(side, Choice) else side)[0]
    if not isinstance(first, AnyShape):
        raise TypeError(f"a shape is {type(first).__name__}, must be a Shape")
    return first.dim


def _rows_of(value: Any, some: slice) -> Any:
    if isinstance(value, Choice):
        return value.index[some]
    return value[some] if isinstance(value, (list, tuple)) else np.asarray(value)[some]


def _joined(answers: list[Any], most: int) -> Any:
    """The answers of all shards, one behind the other."""
    first = answers[0]
    if not isinstance(first, Rows):
        return np.concatenate(answers)
    # As bytes: NumPy would leave out those between fields.
    joined = np.concatenate([answer.rows.view(np.uint8) for answer in answers]).view(first.rows.dtype)
    if not isinstance(first, Listed):
        return type(first)(joined)
    lengths = [len(answer.rows) for answer in answers]
    joined["question"] += np.repeat(np.arange(len(answers)) * most, lengths)
    complete = [answer.complete for answer in answers if answer.complete is not None]
    return type(first)(joined, np.concatenate(complete))
