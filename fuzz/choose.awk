# Chooses files from the control file of a libFuzzer merge: always the one that reaches most code
# that those before do not, at most `most` of them.

NR == 1 { count = $1 }
NR > 2 && NR <= count + 2 { path[NR - 3] = $0 }
# What file $2 reaches: eight features are the counts of one edge.
$1 == "FT" {
    edges[$2] = $0
    gain[$2] = NF
}

# How many edges a file has that no chosen one has.
function news(file, parts, number, k, seen) {
    number = split(edges[file], parts, " ")
    for (k = 3; k <= number; k++) {
        edge = int(parts[k] / 8)
        if (!(edge in reached)) seen[edge] = 1
    }
    return length(seen)
}

function take(file, parts, number, k) {
    number = split(edges[file], parts, " ")
    for (k = 3; k <= number; k++) reached[int(parts[k] / 8)] = 1
    print path[file]
    delete gain[file]
}

END {
    while (taken < most) {
        best = -1
        for (file in gain) if (best < 0 || gain[file] > gain[best]) best = file
        if (best < 0 || gain[best] == 0) exit
        # What a file adds only falls as others are taken: if it is still the best, it is the best.
        now = news(best)
        if (now > 0 && now >= gain[best]) {
            take(best)
            taken++
        } else gain[best] = now
    }
}
