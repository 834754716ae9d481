#!/usr/bin/env bash
# What the library takes on AArch64 without such a machine: instructions of whole operations, counted under qemu, Debian's arm64 OpenSSL
# beside them, and cycles of the kernels after llvm-mca's models of four cores. Prints a table and keeps JSON, one file a core, in
# build/arm-model. About two minutes. Keys are new each time: counts of verification differ by a percent.
#   ./ci/arm-model.sh                    everything
#   ./ci/arm-model.sh --check [BUILD]    P-256 alone, without OpenSSL, counted twice: both must agree, and the files be in order;
#                                        BUILD: a build of the preset aarch64 to take the library from
set -euo pipefail
cd "$(dirname "$0")/.."
check=
case "${1:-}" in
"") ;;
--check) check=1 ;;
*) sed -n '2,7s/^# //p' "$0"; exit 2 ;;
esac
. ci/setup.sh
limbic_need cmake gcc gcc-aarch64-linux-gnu git libc6-dev-arm64-cross ninja-build python3 qemu-user
# Before version 16 LLVM has no model of its own for some of the four.
if [ -z "$check" ]; then (limbic_need llvm-19) || echo "arm-model: goes on with the llvm-mca that is there"; fi

work=$PWD/build/arm-model
library=${2:-$work/library}
mkdir -p "$work"
log=$work/build.log
libs=$work/libs
openssl=0 crypto=()
if [ -n "$check" ]; then
    : >"$log"
elif limbic_arm64_libs "$libs" libssl-dev >"$log" 2>&1; then
    openssl=1 crypto=("-L$libs/usr/lib/aarch64-linux-gnu" -lcrypto)
else
    echo "arm-model: skipped: OpenSSL: Debian's arm64 package libssl-dev could not be fetched"
fi

# main.c for what the rows need of it: the linker drops the rest, and with it what is not there.
build() {
    local c=(-std=c11 -O2 -Wall -Wextra -ffunction-sections -fdata-sections -I. -Isrc -Iinclude -DBENCH_OPENSSL=$openssl -DBENCH_GMP=0
        "-DBENCH_COMMIT=\"\"" "-DBENCH_FLAGS=\"\"" -isystem "$libs/usr/include" -isystem "$libs/usr/include/aarch64-linux-gnu")
    local files=(bench/count.c bench/schemes.c bench/sm2_rsa.c)
    [ $openssl = 0 ] || files+=(bench/peers_openssl.c bench/peers_openssl_sm2_rsa.c)
    { [ "$library" != "$work/library" ] || cmake --preset aarch64 -B "$library" -DLIMBIC_TESTS=OFF -DLIMBIC_TOOL=OFF; } &&
        cmake --build "$library" -j "$(nproc)" --target limbic_static &&
        gcc -std=c11 -O2 -Wall -Wextra -shared -fPIC -o "$work/count_plugin.so" bench/count_plugin.c &&
        aarch64-linux-gnu-gcc "${c[@]}" -Dmain=limbic_bench_main -c -o "$work/main.o" bench/main.c &&
        aarch64-linux-gnu-gcc "${c[@]}" -static -no-pie -Wl,--gc-sections -o "$work/limbic-count" "${files[@]}" "$work/main.o" \
            "$library/liblimbic.a" "${crypto[@]}"
}
echo "arm-model: building $work"
if ! build >>"$log" 2>&1; then
    tail -n 20 "$log"
    echo "arm-model: the build failed; all of it is in $log"
    exit 1
fi

mark=0x$(nm "$work/limbic-count" | awk '$3 == "bench_mark" { print $1 }')
# count FILE REGEX
count() {
    qemu-aarch64 -cpu neoverse-n1 -plugin "file=$work/count_plugin.so,mark=$mark" "$work/limbic-count" "$2" >"$1" && return
    echo "arm-model: counting failed: $(tail -n 1 "$1")"
    return 1
}
ops='(sign|verify|keygen|ecdh|sign_prepared|verify_prepared)'
if [ -n "$check" ]; then
    count "$work/first" "^scheme/p256/$ops/(a64|auto)\$"
    count "$work/second" "^scheme/p256/$ops/(a64|auto)\$"
    exec python3 ci/arm_model.py --check "$work" "$library" "$work/first" "$work/second"
fi
# Two processes: making RSA keys takes most of the time.
count "$work/limbic" "^scheme/(p256|p384|p521|sm2|rsa[0-9]+)/$ops/(a64|auto)\$" &
peers=0
[ $openssl = 0 ] || count "$work/openssl" "^peer/openssl/(p256|p384|p521|sm2|rsa[0-9]+)/$ops\$" || peers=1
wait $!
[ $peers = 0 ]
[ $openssl = 1 ] || : >"$work/openssl"
exec python3 ci/arm_model.py "$work" "$library" "$work/limbic" "$work/openssl"
