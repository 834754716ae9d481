#!/usr/bin/env bash
# Proves the tree right: installs what is missing, builds it in every way, runs every test. The last line is the total.
#   ./ci/test.sh              everything
#   ./ci/test.sh STAGE...     these stages only (--list names them)
# Builds and logs go to build/ci. LIMBIC_WYCHEPROOF and LIMBIC_VECTORS name folders of further vectors.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit
. ci/setup.sh

top=$PWD
work=$top/build/ci
jobs=$(nproc)
stages="checks release install emulated clang asan tsan portable no_int128 m32 aarch64 constant_time fuzz"
fuzz_seconds=60

case "${1:-}" in
--list) echo "$stages"; exit 0 ;;
-*) sed -n '2,5s/^# //p' "$0"; exit 2 ;;
esac
for stage; do
    case " $stages " in *" $stage "*) ;; *) echo "test: no stage '$stage'; there are: $stages"; exit 2 ;; esac
done
[ $# -eq 0 ] || stages="$*"

# Of the compilers' run-time parts: libclang-rt-dev has the sanitizers and libFuzzer, libc6-dev-arm64-cross the cross libc.
limbic_need binutils clang clang-format cmake curl g++ gcc gcc-aarch64-linux-gnu git gnuplot-nox libbenchmark-dev libc6-dev libc6-dev-arm64-cross libclang-rt-dev \
    $([ "$(uname -m)" != x86_64 ] || echo libc6-dev-i386 lib32gcc-12-dev) \
    $(! command -v java >/dev/null || echo libbcprov-java) libgmp-dev libssl-dev lintian llvm man-db mandoc nasm nginx ninja-build openssh-client openssl pkg-config python3 python3-cryptography python3-cryptography-vectors qemu-user valgrind

mkdir -p "$work"
unset LIMBIC_CPU LIMBIC_REQUIRE
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
# The rows that this machine must not skip, and what sets them: features.def names the words of the kernel's cpuinfo.
here=
if [ "$(uname -m)" = x86_64 ]; then here=x64; fi
if grep -qw adx /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then here=$here,adx; fi
if grep -qw avx2 /proc/cpuinfo; then here=$here,avx2; fi
if grep -qw sha_ni /proc/cpuinfo; then here=$here,shani; fi
if grep -qw sha_ni /proc/cpuinfo && grep -qw avx512bw /proc/cpuinfo && grep -qw avx512vl /proc/cpuinfo; then here=$here,avx512; fi
if [[ $here = *adx* ]] && grep -qw avx512ifma /proc/cpuinfo && grep -qw avx512dq /proc/cpuinfo && grep -qw avx512bw /proc/cpuinfo && grep -qw avx512vl /proc/cpuinfo; then here=$here,ifma; fi

# The address maps of clang 14's sanitizers do not fit a kernel that spreads addresses by more than 28 bits.
fixed_addresses=()
if [ "$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 32)" -gt 28 ]; then
    if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); else
        echo "test: vm.mmap_rnd_bits is above 28 and setarch -R is not allowed: sanitizers may not start"
    fi
fi

# build PRESET DIRECTORY [OPTION...]: configure and build below build/ci, warnings being errors.
build() {
    cmake --preset "$1" -B "$work/$2" -DLIMBIC_WERROR=ON "${@:3}" && cmake --build "$work/$2" -j "$jobs"
}

# tests DIRECTORY LEFT_OUT [ctest OPTION...]: LEFT_OUT is an expression for the names that this stage does not run.
tests() {
    "${prefix[@]}" ctest --test-dir "$work/$1" -V -j "$jobs" --no-tests=error -E "^(${2:-})\$" "${@:3}"
}
prefix=()

# check COMMAND...: one check, counted as one where it does not count itself.
check() {
    local out code=0
    echo "\$ $*"
    out=$("$@" 2>&1) || code=$?
    printf '%s\n' "$out"
    if [ "$code" -ne 0 ]; then
        # Its own count may say what failed; else this does.
        printf '%s\n' "$out" | grep -qE '^[0-9]+ passed, [1-9][0-9]* failed' || echo "0 passed, 1 failed"
        bad=1
    elif ! printf '%s\n' "$out" | grep -qE '^[0-9]+ passed, 0 failed'; then
        echo "1 passed, 0 failed"
    fi
}
bad=0

stage_checks() {
    check ci/check_layers.py --self-test
    check ci/manual.py --check --self-test
    check clang-format --dry-run --Werror $(git ls-files '*.c' '*.h' '*.cc' | grep -v '^src/consts/')
    check python3 src/consts/gen.py --check
    check python3 tests/vectors/generate.py --check
    return $bad
}

stage_release() {
    build release release -DCMAKE_CROSSCOMPILING_EMULATOR= -DLIMBIC_OPENSSL=ON || return
    LIMBIC_REQUIRE=$here tests release 'install|package|ct.*|vectors_(generated|ecdsa|schemes|arithmetic)' || bad=1
    check ci/check_asm.py --self-test "$work/release"
    return $bad
}

stage_install() {
    build release release -DCMAKE_CROSSCOMPILING_EMULATOR= -DLIMBIC_OPENSSL=ON -DCMAKE_INSTALL_PREFIX=/usr && tests release '' -R '^(install|package)'
}

# The same binaries on other CPUs: two without ADX, whose rows must be skipped and say so, two with it, whose rows must run.
stage_emulated() {
    local cpu out more kernels=$work/emulated.kernels
    if [ "$(uname -m)" != x86_64 ]; then
        echo "skipped: this machine is no x86-64"
        echo "0 passed, 0 failed, 1 skipped"
        return
    fi
    build release release "-DCMAKE_CROSSCOMPILING_EMULATOR=$(command -v qemu-x86_64)" || return
    # The kernels, which take minutes and one core, where most rows run: those that are not portable C.
    QEMU_CPU=max LIMBIC_REQUIRE=x64,adx check qemu-x86_64 "$work/release/tests/kernels/kernels" --seconds 4 --filter '*/*/[!c]*' >"$kernels" 2>&1 &
    for cpu in Nehalem Haswell Broadwell max; do
        echo "== qemu-x86_64 -cpu $cpu"
        export QEMU_CPU=$cpu
        out=$work/emulated.$cpu
        case $cpu in Nehalem | Haswell) export LIMBIC_REQUIRE=x64 ;; *) export LIMBIC_REQUIRE=x64,adx ;; esac
        case $cpu in max) more=none ;; Haswell) more=vectors_schemes ;; *) more=vectors_ecdsa ;; esac
        tests release '' -R "^(dispatch|$more)\$" 2>&1 | tee "$out" || bad=1
        case $cpu in
        Nehalem | Haswell) check grep -a -m 3 -E 'skip.*CPU lacks .*adx' "$out" ;;
        *) check test "$(grep -acE 'skip.*CPU lacks .*adx' "$out")" -eq 0 ;;
        esac
    done
    wait
    cat "$kernels"
    tail -n 1 "$kernels" | grep -qE '^[0-9]+ passed, 0 failed' || bad=1
    return $bad
}

stage_clang() {
    build clang clang -DLIMBIC_CT=OFF || return
    LIMBIC_REQUIRE=$here tests clang 'report|install|contributing|ct.*|proof.*|consts|der|api|batch|rsa|rsa_key|key|mpn|vectors_.*'
}

stage_asan() {
    prefix=("${fixed_addresses[@]}")
    build asan asan -DLIMBIC_OPENSSL=ON && LIMBIC_REQUIRE=$here tests asan 'report|vectors|vectors_(generated|ecdsa|schemes|arithmetic|published)'
}

stage_tsan() {
    prefix=("${fixed_addresses[@]}")
    # A child of fork has none of its parent's threads, which the sanitizer takes for leaks.
    export TSAN_OPTIONS=report_thread_leaks=0
    build tsan tsan && LIMBIC_REQUIRE=$here tests tsan '' -R 'thread|dispatch|tool'
}

stage_portable() {
    build portable portable -DLIMBIC_CT=OFF && tests portable 'report|ct.*|kernels|batch|consts|der|rsa_key|key|mpn|api|vectors_(generated|ecdsa|schemes|arithmetic)'
}

stage_no_int128() {
    build portable no_int128 -DLIMBIC_NO_INT128=ON -DLIMBIC_CT=OFF -DLIMBIC_BENCH=OFF && tests no_int128 'report|install|ct.*|batch|consts|der|tool|api|rsa|rsa_key|key|mpn|sm2|vectors_.*'
}

# A 32-bit target. Most of its own vectors run; and no kernel but the inverses, whose loops are public, has a conditional jump.
stage_m32() {
    local file jumps
    if [ "$(uname -m)" != x86_64 ]; then
        echo "skipped: gcc -m32 takes an x86-64 machine"
        echo "0 passed, 0 failed, 1 skipped"
        return
    fi
    build portable m32 "-DCMAKE_C_FLAGS=-m32 -idirafter /usr/include/$(uname -m)-linux-gnu" -DLIMBIC_BENCH=OFF -DLIMBIC_GMP=OFF -DLIMBIC_CRYPTO=OFF &&
        tests m32 'report|install|batch|tool|vectors|vectors_generated|vectors_published' || bad=1
    for file in p256 p384 p521 sm2 orders; do
        jumps=$(gcc -m32 -std=c11 -O3 -Iinclude -Isrc -I. -S -o - "src/field/$file.c" |
            awk '/^limbic_[a-z0-9_]*:/ { name = $1 } /^\tj/ && !/^\tjmp/ && name !~ /_inv/ { print name }' | sort -u)
        check test -z "$jumps"
    done
    return $bad
}

# The kernels' oracle is GMP and libcrypto, so those of arm64 are fetched.
stage_aarch64() {
    local cpu libs=$work/arm64
    if ! limbic_arm64_libs "$libs" libgmp-dev libssl-dev; then
        echo "Debian's arm64 packages libgmp-dev and libssl-dev could not be fetched"
        return 1
    fi
    build aarch64 aarch64 "-DCMAKE_C_FLAGS=-isystem $libs/usr/include -isystem $libs/usr/include/aarch64-linux-gnu" \
        "-DCMAKE_EXE_LINKER_FLAGS=-L$libs/usr/lib/aarch64-linux-gnu" -DLIMBIC_GMP=gmp -DLIMBIC_CRYPTO=crypto || return
    check ci/check_asm.py "$work/aarch64"
    check ci/arm-model.sh --check "$work/aarch64"
    # QEMU_CPU counts for nothing beside an option -cpu.
    check test -z "$(ctest --test-dir "$work/aarch64" -N -V | grep -e '"-cpu"')"
    # Everything on the one, what depends on the CPU's features on the other.
    for cpu in neoverse-n1 max; do
        echo "== qemu-aarch64 -cpu $cpu"
        case $cpu in
        max) export LIMBIC_REQUIRE=a64,crypto
            QEMU_CPU=$cpu tests aarch64 '' -R '^(dispatch|hash|vectors_ecdsa|vectors_schemes)$' || bad=1
            QEMU_CPU=$cpu check qemu-aarch64 -L /usr/aarch64-linux-gnu "$work/aarch64/tests/kernels/kernels" --seconds 2 --filter 'hash/*/crypto' ;;
        *) export LIMBIC_REQUIRE=a64
            QEMU_CPU=$cpu tests aarch64 'report|batch|consts|der|install|api|rsa|rsa_key|key|mpn|sm2|vectors|vectors_published|vectors_generated' || bad=1 ;;
        esac
    done
    return $bad
}

# Valgrind hides the SHA extensions and AVX-512 and does not execute them: those rows are vector code without branches, from sources
# that run here with other vectors.
stage_constant_time() {
    build release release -DCMAKE_CROSSCOMPILING_EMULATOR= || return
    LIMBIC_REQUIRE=$(tr , '\n' <<<"$here" | grep -vE '^(shani|avx512|ifma)$' | paste -sd,) tests release '' -R '^ct'
}

# fuzz_seconds are shared out among the targets, which ctest lists.
stage_fuzz() {
    local targets
    build fuzz fuzz || return
    targets=$(ctest --test-dir "$work/fuzz/tests/fuzz" -N | sed -n 's/^Total Tests: //p')
    build fuzz fuzz "-DLIMBIC_FUZZ_SECONDS=$((fuzz_seconds / (targets > 0 ? targets : 1)))" || return
    prefix=("${fixed_addresses[@]}")
    LIMBIC_REQUIRE=$here tests fuzz/tests/fuzz
}

# A stage's last words: what its log counts.
report() {
    local stage=$1 log=$work/$1.log code seconds passed failed skipped reasons reason again=""
    read -r code seconds <"$work/$stage.end"
    { read -r passed failed skipped; mapfile -t reasons; } < <(ci/count.py "$log" "$code")
    printf '%-14s%5d s  %d passed, %d failed, %d skipped\n' "$stage" "$seconds" "$passed" "$failed" "$skipped"
    # A reason is told where it first comes up.
    for reason in "${reasons[@]}"; do
        if [ -n "${told[$reason]:-}" ]; then again+="${told[$reason]}"$'\n'; else
            told[$reason]=$stage
            printf '%s\n' "$reason" | fold -s -w 110 | sed '1s/^/    /; 2,$s/^/        /'
        fi
    done
    [ -z "$again" ] || echo "    skipped, reasons that stand above: $(printf %s "$again" | sort | uniq -c | awk '{printf "%s%s of %s", sep, $1, $2; sep = ", "}')"
    if [ "$code" -ne 0 ] || [ "$failed" -ne 0 ]; then
        failures="$failures $stage"
        echo "    FAILED (exit $code); from $log:"
        { grep -anE 'FAIL|[Ee]rror|\*\*\*' "$log" | head -n 20; echo ...; tail -n 15 "$log"; } | cut -c 1-250 | sed 's/^/    | /'
    fi
    total_passed=$((total_passed + passed)) total_failed=$((total_failed + failed)) total_skipped=$((total_skipped + skipped))
}

run_stage() {
    local code=0
    SECONDS=0
    ("stage_$1") >"$work/$1.log" 2>&1 </dev/null || code=$?
    echo "$code $SECONDS" >"$work/$1.end"
}

# Two stages at a time, since each has parts that keep one core busy; those that share build/ci/release one after the other.
total_passed=0 total_failed=0 total_skipped=0
failures=
declare -A told=() running=()
began=$SECONDS
for stage in $stages; do rm -f "$work/$stage.end"; done
waiting=$stages
while [ -n "$waiting" ] || [ ${#running[@]} -gt 0 ]; do
    later=
    for stage in $waiting; do
        key=$stage
        case $stage in release | install | emulated | constant_time) key=release ;; esac
        if [ ${#running[@]} -lt 2 ] && [ -z "${running[$key]:-}" ]; then
            running[$key]=$stage
            run_stage "$stage" &
        else
            later="$later $stage"
        fi
    done
    waiting=$later
    wait -n
    for key in "${!running[@]}"; do
        [ -n "$(jobs -pr)" ] || [ -f "$work/${running[$key]}.end" ] || echo 1 0 >"$work/${running[$key]}.end" # it was killed
        if [ -f "$work/${running[$key]}.end" ]; then
            report "${running[$key]}"
            unset "running[$key]"
        fi
    done
done
echo "total         $(printf %5d $((SECONDS - began))) s${failures:+; FAILED:$failures}"
echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
[ "$total_failed" -eq 0 ] && [ -z "$failures" ]
