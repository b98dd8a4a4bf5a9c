#!/usr/bin/env bash
# Puts the inputs of each target's working corpus that reach most into crates/fuzzing/corpus, as many
# as tests replay in a few seconds.
set -euo pipefail

readonly targets=(pair hull pair_file scene_file world)

usage() {
    cat <<'TEXT'
Usage: fuzz/minimise.sh [TARGET...]

For all targets or those named: chooses the inputs from fuzz/corpus and crates/fuzzing/corpus that
reach most code, one after the other. Files named crash-* are kept whatever they reach. Settings:
  MOST_FILES=N  the most files of a target (default 40)
  MOST_BYTES=N  the greatest size of a file (default 1024)
  SANITIZER=NAME  as for run.sh
TEXT
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
esac

# Copies all inputs of target $1 that are small enough into one folder.
gather() {
    local folder
    mkdir "$work/all" "$work/merged"
    for folder in "../crates/fuzzing/corpus/$1" "corpus/$1"; do
        [[ -d $folder ]] || continue
        find "$folder" -type f -not -name 'crash-*' -size "-$((most_bytes + 1))c" \
            -exec cp -t "$work/all" {} +
    done
}

# Prints the paths of the inputs that target $1 reaches most with, the best first.
choose() {
    cargo +nightly fuzz run --sanitizer "$sanitizer" --no-trace-compares "$1" \
        "$work/merged" "$work/all" -- \
        -set_cover_merge=1 -merge_control_file="$work/control" -timeout=10 >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        return 1
    }
    awk -v most="$most_files" -f choose.awk "$work/control"
}

# Replaces the corpus of target $1 that tests replay.
minimise() {
    local kept=../crates/fuzzing/corpus/$1 path
    work=$(mktemp -d)
    mkdir -p "$kept"
    gather "$1"
    choose "$1" >"$work/list"
    find "$kept" -type f -not -name 'crash-*' -delete
    while read -r path; do
        cp "$path" "$kept/$(sha1sum "$path" | cut -c 1-12)"
    done <"$work/list"
    printf '%-12s %4d files, %6d bytes\n' "$1" "$(find "$kept" -type f | wc -l)" \
        "$(cat "$kept"/* | wc -c)"
    rm -r "$work"
}

readonly most_files=${MOST_FILES:-40} most_bytes=${MOST_BYTES:-1024} sanitizer=${SANITIZER:-none}
chosen=("$@")
[[ $# -gt 0 ]] || chosen=("${targets[@]}")
cd "$(dirname "$0")"
for target in "${chosen[@]}"; do
    minimise "$target"
done
