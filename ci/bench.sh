#!/usr/bin/env bash
# What this machine does per second, per instruction set, beside OpenSSL: builds, measures for about two
# minutes, prints one screen and keeps the JSON. Arguments go to limbic-bench, after the choice of rows below
# (--benchmark_filter=. runs all). --sm2-rsa prints the table of SM2 against RSA-2048 instead, with BouncyCastle if
# Java and libbcprov-java are there.
set -euo pipefail
cd "$(dirname "$0")/.."
for arg; do
    case $arg in -h | --help) sed -n '2,6s/^# //p' "$0"; exit ;; esac
done
. ci/setup.sh
limbic_need cmake ninja-build gcc g++ nasm libgmp-dev libssl-dev libbenchmark-dev python3 git

log=build/bench/build.log
mkdir -p build/bench
echo "bench: building build/release"
if ! { cmake --preset release && cmake --build --preset release --target limbic-bench; } >"$log" 2>&1; then
    tail -n 30 "$log"
    echo "bench: the build failed; all of it is in $log"
    exit 1
fi
grep -E '(Limbic|limbic-bench):.*(assembl|portable|NASM|bench|OpenSSL|GMP:)' "$log" || true

for arg; do
    if [ "$arg" = --sm2-rsa ]; then exec build/release/bench/limbic-bench "$@"; fi
done

# The rows that the report shows.
rows='^(scheme|peer/[a-z]+)(/(?!sm2/[a-z]+crypt_(32|10k|.*c1c2c3))|$)|^kernel/[a-z0-9]+/(mul|sqr|inv)/'
engine='(point_dbl|point_add|base_mul|point_mul|double_mul_vartime|pow|(sha256|sha512|sm3)(_many)?|sm3_stream)'
rows+="|^kernel/[a-z0-9]+/$engine/[a-z0-9]+(/throughput)?\$"
json=build/bench/$(uname -n)-$(date +%Y%m%d-%H%M%S).json
status=0
build/release/bench/limbic-bench --benchmark_filter="$rows" --benchmark_out="$json" "$@" >/dev/null ||
    status=$?
[ -s "$json" ] || { echo "bench: limbic-bench wrote no results (exit $status)"; exit 1; }
python3 bench/report.py "$json"
echo "bench: results in $json; bench/report.py shows them again, several files side by side"
exit "$status"
