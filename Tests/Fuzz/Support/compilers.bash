# What the builds of fuzzers share; to be sourced. Sets: clang, swiftc (both of one toolchain, with libFuzzer), sources, support.
# shellcheck shell=bash disable=SC2034
support=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$(cd "$support/../../../Sources" && pwd)

# Swift's own clang brings libFuzzer along; FUZZ_CLANG names another.
swiftc=$(readlink -f "$(command -v swiftc)")
swiftc=$(dirname "$swiftc")/swiftc
clang=${FUZZ_CLANG:-$(dirname "$swiftc")/clang}
if ! compgen -G "$("$clang" -print-resource-dir)/lib/linux/libclang_rt.fuzzer*" >/dev/null; then
    echo "fuzz: $clang has no libFuzzer; set FUZZ_CLANG to a clang that has (Debian: clang and libclang-rt-dev)" >&2
    exit 1
fi
