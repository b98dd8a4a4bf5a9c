"""Constants of clash checks on a cluster: ``python benches/clash.py BUILDING.glb [RULES.json]``.

The example ``building`` of the crate clearance-clash writes such a file.
"""

import resource
import sys
import time

from clearance import _clearance
from clearance.clash import Assembly, Check, Rules
from clearance.ray import SHARD_COST, _Plan


def memory():
    """The most bytes that this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def timed(work):
    """What work returns, and the seconds of a processor that it took."""
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


def main(path, rules=None):
    before = memory()
    whole, reading = timed(lambda: Assembly.read(path, threads=1))
    parts, triangles = len(whole), whole.triangles
    print(f"{parts} parts, {triangles} triangles; read in {1e6 * reading / parts:.1f} us a part, {(memory() - before) / parts:.0f} bytes a part at most")
    check, finding = timed(lambda: Check(whole, rules=Rules.read(rules) if rules else None))
    pairs, cost = int(check.blocks["pairs"].sum()), int(check.blocks["cost"].sum())
    print(f"{pairs} pairs in {len(check)} blocks of a cost of {cost} found in {1e6 * finding / pairs:.2f} us a pair")
    shapes = _clearance.ClashShapes(1 << 21)
    store = _clearance.ClashStore(check._native, 1 << 17)
    groups, storing = timed(lambda: [store.group(k) for k in range(len(store))])
    size = sum(len(group) for group in groups)
    print(f"object store: {size / parts:.0f} bytes a part, {size / triangles:.1f} a triangle, in {len(groups)} objects; {1e6 * storing / parts:.1f} us a part")
    plan = _Plan.__new__(_Plan)
    plan.shard_cost, plan.processors = SHARD_COST, 1
    shards = list(plan.shards(check.blocks["cost"], 0))
    made, cutting = timed(lambda: [store.shard(check._native, shard) for shard in shards])
    count = sum(len(shard) for shard, _ in made)
    print(f"{len(shards)} shards: {count / len(shards):.0f} bytes each, {1e6 * cutting / pairs:.2f} us a pair to cut")
    found, alone = timed(lambda: [check.found(*shard, threads=1) for shard in shards])
    again, apart = timed(
        lambda: [_clearance.measure_shard(shard, check.rules._native, [groups[k] for k in named], shapes) for shard, named in made]
    )
    assert again == found
    size = sum(len(bytes) for bytes in found)
    print(f"measured in {1e6 * alone / pairs:.1f} us a pair; from shards in {1e6 * apart / pairs:.1f} us; results {size / pairs:.1f} bytes a pair")
    print(f"{apart / len(shards):.3f} s a shard")


main(*sys.argv[1:])
