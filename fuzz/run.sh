#!/usr/bin/env bash
# Runs every target for its share of MINUTES and sums up what came of it.
# Exits with 1 if a target crashed.
set -euo pipefail

# Comparisons are not traced: most are of floating point, and it costs more than half of the speed.
readonly targets=(pair hull pair_file scene_file world composite questions recording)

usage() {
    cat <<'TEXT'
Usage: fuzz/run.sh MINUTES [TARGET...]

Runs all targets (pair, hull, pair_file, scene_file, world, composite, questions, recording) or
those named, one after the other, MINUTES in all. Inputs worth keeping gather in fuzz/corpus,
crashes in fuzz/artifacts, output in fuzz/logs. Settings:
  JOBS=N          as many processes per target (default 1)
  SANITIZER=NAME  that of cargo-fuzz (default none: the engine has no unsafe code)
TEXT
}

fail() {
    printf '%s\n' "$1" >&2
    exit 2
}

require_tools() {
    cargo +nightly --version >/dev/null 2>&1 ||
        fail "needs a nightly toolchain: rustup toolchain install nightly"
    cargo +nightly fuzz --version >/dev/null 2>&1 ||
        fail "needs cargo-fuzz: cargo install cargo-fuzz"
}

# Prints the longest input of a target, in bytes.
max_len() {
    case $1 in
    pair) echo 512 ;;
    hull) echo 1024 ;;
    world | questions) echo 2048 ;;
    *) echo 8192 ;;
    esac
}

# Runs one target for a number of seconds.
run_target() {
    local target=$1 seconds=$2 options=()
    case $target in
    *_file) options+=("-dict=dictionaries/json.dict") ;;
    esac
    mkdir -p "corpus/$target" "artifacts/$target" logs
    cargo +nightly fuzz run --sanitizer "$sanitizer" --no-trace-compares "$target" \
        "corpus/$target" "../crates/fuzzing/corpus/$target" -- \
        -fork="$jobs" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
        -max_total_time="$seconds" -max_len="$(max_len "$target")" \
        -timeout=30 -rss_limit_mb=2048 "${options[@]}" >"logs/$target" 2>&1 || true
    # Crashes end a run with an error too; a run that never began must not count as one without any.
    grep -aqE '^#[0-9]+: cov:' "logs/$target" || fail "$target did not run, see fuzz/logs/$target"
}

# Prints one line for a target, and the path of each crash that this run found.
sum_up() {
    local target=$1 last first crashes
    # A line for each round: `#1234: cov: 56 ft: 78 corp: 9 exec/s 1011 ...`.
    first=$(grep -aEo '^#[0-9]+: cov: [0-9]+' "logs/$target" | head -n 1 || true)
    last=$(grep -aEo '^#[0-9]+: cov: [0-9]+' "logs/$target" | tail -n 1 || true)
    first=${first:-#0: cov: 0}
    last=${last:-#0: cov: 0}
    crashes=$(find "artifacts/$target" -type f -newer "$start" | sort)
    local executions=${last%%:*}
    printf '%-12s %12s executions, %5d edges new of %5d, %d crashes\n' "$target" "${executions#\#}" \
        "$((${last##* } - ${first##* }))" "${last##* }" "$(grep -c . <<<"$crashes" || true)"
    if [[ -n $crashes ]]; then
        sed 's|^|  fuzz/|' <<<"$crashes"
        crashed=1
    fi
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
'' | *[!0-9]*)
    usage >&2
    exit 2
    ;;
esac

minutes=$1
shift
chosen=("$@")
[[ $# -gt 0 ]] || chosen=("${targets[@]}")
for target in "${chosen[@]}"; do
    [[ " ${targets[*]} " == *" $target "* ]] || fail "no target is named $target: ${targets[*]}"
done
readonly jobs=${JOBS:-1} sanitizer=${SANITIZER:-none}
cd "$(dirname "$0")"
require_tools
start=$(mktemp)
readonly start
trap 'rm -f "$start"' EXIT
cargo +nightly fuzz build --sanitizer "$sanitizer" --no-trace-compares
for target in "${chosen[@]}"; do
    printf 'fuzzing %s\n' "$target" >&2
    run_target "$target" $((minutes * 60 / ${#chosen[@]}))
done
crashed=0
for target in "${chosen[@]}"; do
    sum_up "$target"
done
exit "$crashed"
