#!/usr/bin/env bash
# What this machine does per second, per instruction set, beside OpenSSL: builds, measures for about three minutes, prints one screen and keeps the
# JSON, which limbic report makes a page of. bench/README.md explains the figures.
#   ./ci/bench.sh              the rows of the screen
#   ./ci/bench.sh --threads N  also 1, 2, 4 ... N processors at once
#   ./ci/bench.sh --full       every row, all processors, SM2 against RSA-2048, and the page: about fifteen minutes
#   ./ci/bench.sh --sm2-rsa    the table of SM2 against RSA-2048 alone, with BouncyCastle if Java and libbcprov-java are there
#   ./ci/bench.sh --samples    makes bench/samples anew: the screen's rows with all there is, at the level of ADX, and in portable C
# Further arguments go to limbic-bench, after the choice of rows below (--benchmark_filter=. runs all).
set -euo pipefail
cd "$(dirname "$0")/.."
full= samples= sm2_rsa= threads=
args=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) sed -n '2,9s/^# //p' "$0"; exit ;;
    --full) full=1 threads=${threads:-$(nproc)} ;;
    --samples) samples=1 ;;
    --threads) threads=${2:?how many}; shift ;;
    --threads=*) threads=${1#*=} ;;
    --sm2-rsa) sm2_rsa=1; args+=("$1") ;;
    *) args+=("$1") ;;
    esac
    shift
done
. ci/setup.sh
limbic_need cmake ninja-build gcc g++ nasm libgmp-dev libssl-dev libbenchmark-dev python3 git $([ -z "$full$samples" ] || echo gnuplot-nox)

log=build/bench/build.log
mkdir -p build/bench
echo "bench: building build/release"
if ! { cmake --preset release && cmake --build --preset release --target limbic-bench; } >"$log" 2>&1; then
    tail -n 30 "$log"
    echo "bench: the build failed; all of it is in $log"
    exit 1
fi
grep -E '(Limbic|limbic-bench):.*(assembl|portable|NASM|bench|OpenSSL|GMP:)' "$log" || true
bench=build/release/bench/limbic-bench

if [ -n "$sm2_rsa" ]; then exec $bench "${args[@]}"; fi

# The rows that the report shows.
rows='^(scheme|peer/[a-z]+)(/(?!sm2/[a-z]+crypt_(32|10k|.*c1c2c3)|rsa(3072|4096)/(private|public))|$)|^kernel/[a-z0-9]+/(mul|sqr|inv)/'
engine='(point_dbl|point_add|base_mul|point_mul|double_mul_vartime|pow|(sha256|sha512|sm3)(_many)?|sm3_stream)'
rows+="|^kernel/[a-z0-9]+/$engine/[a-z0-9]+(/throughput)?\$"
[ -z "$full" ] || rows=.

# run JSON [OPTION...]. The name that gcc has for this core goes with it.
run() {
    local core
    core=$(gcc -march=native -Q --help=target 2>/dev/null | awk '$1 == "-march=" { print $2 }')
    $bench --benchmark_filter="$rows" --benchmark_context=microarchitecture="${core:-unknown}" --benchmark_out="$1" "${@:2}" >/dev/null
}

# LIMBIC_CPU without the features that an expression names.
without() {
    $bench --benchmark_filter='^scheme/sm3/1k/c$' --benchmark_repetitions=1 --benchmark_out=build/bench/features.json >/dev/null 2>&1
    python3 -c 'import json, re, sys
words = json.load(open("build/bench/features.json"))["context"]["cpu_features"].split()
print(",".join("-" + w for w in words if re.fullmatch(sys.argv[1], w)))' "$1"
}

if [ -n "$samples" ]; then
    off=$(without 'ifma|avx512.*|vbmi')
    none=$(without '.*')
    run build/bench/all.json --threads="$(nproc)" --benchmark_repetitions=9 --benchmark_context=label="all on" "${args[@]}"
    LIMBIC_CPU=$off run build/bench/adx.json --benchmark_repetitions=9 --benchmark_context=label="ADX level" "${args[@]}"
    LIMBIC_CPU=$none run build/bench/portable.json --benchmark_repetitions=9 --benchmark_context=label="portable C" "${args[@]}"
    $bench --sm2-rsa --json >build/bench/sm2rsa.json
    bench/report.py --format compact build/bench/all.json build/bench/sm2rsa.json -o bench/samples/all.json
    for name in adx portable; do bench/report.py --format compact build/bench/$name.json -o bench/samples/$name.json; done
    bench/report.py bench/samples/*.json -o bench/samples/report.html
    bench/report.py bench/samples/all.json -o bench/samples/gap.svg
    echo "bench: bench/samples is made anew"
    exit
fi

json=build/bench/$(uname -n)-$(date +%Y%m%d-%H%M%S).json
status=0
run "$json" ${threads:+--threads="$threads"} "${args[@]}" || status=$?
[ -s "$json" ] || { echo "bench: limbic-bench wrote no results (exit $status)"; exit 1; }
if [ -n "$full" ]; then
    $bench --sm2-rsa --json >build/bench/sm2rsa.json || status=$?
    bench/report.py --format joined "$json" build/bench/sm2rsa.json -o "$json.joined" && mv "$json.joined" "$json"
    bench/report.py "$json" -o "${json%.json}.html"
    echo "bench: the page is ${json%.json}.html"
fi
bench/report.py "$json"
echo "bench: results in $json; bench/report.py (limbic report) shows them again, several files side by side"
exit "$status"
