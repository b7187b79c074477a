# ZXing-C++'s sources, for who builds it by himself: the package, and the benchmarks that compare versions. To be sourced after debian.bash.
# shellcheck shell=bash

# The one that the package ships; Debian 13 has 2.3.0, which is here to compare it with (Benchmarks/README.md says how they differ).
# shellcheck disable=SC2034  # for who sources this
zxing_version=3.1.1

# Where from: PyPI, to which the authors upload the library's sources with those of its Python module. A mirror of Debian needn't have the
# sources of what it has the packages of; the ones that this is built and checked with haven't.
declare -A zxing_hashes=(
    [2.3.0]=3babedb67a4c15c9de2c2b4c42d70af83a6c85780c1b2d9803ac64c6ae69f14e
    [3.1.1]=1051a521b21a9fe206702ad4186aeb195154e3e1badcd99576d030723f36382b
)

# zxing_archive VERSION FOLDER: the path of its sources, which are fetched into FOLDER once. Nothing is unpacked before its hash is right:
# pip holds it against the hash before it looks inside.
zxing_archive() {
    local version=$1 folder=$2 hash=${zxing_hashes[$1]-} file=$2/zxing_cpp-$1.tar.gz part
    [[ $hash ]] || fail "there is no hash for the sources of ZXing-C++ $version in deploy/zxing.bash, just for: ${!zxing_hashes[*]}"
    if [[ ! -e $file ]]; then
        say "fetching ZXing-C++ $version"
        python3 -m pip --version >/dev/null 2>&1 || need_packages python3-pip
        mkdir -p "$folder"
        part=$(mktemp -d "$folder/.part.XXXXXX")
        echo "zxing-cpp==$version --hash=sha256:$hash" >"$part/wanted"
        # Only the module itself as source: pip asks it for its name and version by means of tools that it fetches and throws away.
        (cd "$part" && python3 -m pip download --quiet --no-deps --no-binary zxing-cpp --require-hashes --requirement wanted >&2) ||
            { rm -rf "$part" && fail "pip can't fetch zxing-cpp $version from PyPI, see above; try again, or put its source archive there by hand: $file"; }
        mv "$part/${file##*/}" "$file"
        rm -rf "$part"
    fi
    echo "$hash  $file" | sha256sum --check --status || fail "$file isn't ZXing-C++ $version: its hash is another one; delete it and try again"
    printf '%s\n' "$file"
}
