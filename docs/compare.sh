#!/usr/bin/env bash
# Prints the README's table of frame times: the peers as published, Clearance as measured here.
# Five runs a scene, the median of their medians. Takes about two minutes once compiled.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p clearance-examples --example stress

# Prints pairs, contacts and milliseconds of one run: the medians of stress.
once() {
    "$target/release/examples/stress" --kind "$1" --count "$2" --frames 60 --threads "$3" |
        awk '$1 == "pairs" { p = $2 } $1 == "contacts" { c = $2 } $1 == "time" { t = $2 }
            END { print p, c, t }'
}

median() {
    for _ in 1 2 3 4 5; do once "$@"; done | sort -n -k3 | sed -n 3p
}

echo '| scene | parry, by hand | rapier | best other with depth | Box3D, no depth, simplex kept | pairs, contacts (peers) | **Clearance** | pairs, contacts | two threads |'
echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
while IFS=';' read -r kind count parry rapier other kept counts; do
    read -r pairs contacts time <<< "$(median "$kind" "$count" 1)"
    read -r _ _ both <<< "$(median "$kind" "$count" 2)"
    echo "| $kind, $count | $parry | $rapier | $other | $kept | $counts | **$time** | $pairs, $contacts | $both |"
done << 'ROWS'
balls;10000;1.61;7.52;3.87 (FCL);8.30;15854, 8395
mixed;10000;33.18;40.50;33.72 (Jolt);16.43;19428, 8482
hulls;3000;14.39;19.30;18.61 (Jolt);4.26;4888, 2408
pile;8000;42.71;63.19;31.97 (Jolt);22.84;93556, 92992
sizes;10000;1.66;5.22;4.08 (FCL);8.80;17495, 9483
city;50000;5.78;5.23;4.96 (Box3D);3.98;2070, 1840
sparse;100000;37.06;63.67;62.62 (FCL);83.05;4380, 2014
balls2;10000;0.88;2.63;2.98 (Box2D);-;10488, 8271
mixed2;10000;5.21;6.20;4.24 (Box2D);-;11828, 8348
pile2;10000;6.34;4.55;5.06 (Box2D);-;39401, 39316
ROWS
