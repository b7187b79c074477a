# What the scripts of this folder share; to be sourced. Sets folders, and moves the script into a mount
# namespace of its own as root: whatever is mounted by it is gone when it ends, however it ends.
# shellcheck shell=bash
set -euo pipefail
shopt -s inherit_errexit

package_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$package_folder/../.." && pwd)
export SCANSTATION_CACHE=${SCANSTATION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scanstation}
cache=$SCANSTATION_CACHE/package
# shellcheck disable=SC2034  # for who sources this
packages_out=$package_folder/out

source "$repository/deploy/debian.bash"
source "$repository/deploy/cache.bash"

# Changing roots and mounting needs root; a user's own SwiftPM caches and builds are not touched.
enter_namespace() {
    if [[ ${SCANSTATION_NAMESPACE-} == entered ]]; then
        unset SCANSTATION_NAMESPACE
        return
    fi
    local as_root=()
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null || fail "roots of Debian can only be made by root; there is no sudo: run this as root"
        as_root=(sudo)
    fi
    [[ $(dpkg --print-architecture) == amd64 ]] || fail "packages are built on amd64 machines; this one is $(dpkg --print-architecture)"
    exec "${as_root[@]}" env SCANSTATION_NAMESPACE=entered "SCANSTATION_CACHE=$SCANSTATION_CACHE" \
        unshare --mount --propagation private "$0" "$@"
}

# tree NAME: the folder of the cached tree that make_NAME FOLDER makes, which it does now if it isn't there. Its name in the
# cache says what it is made from: the recipe and the packages that it names.
tree() {
    local name=$1 key folder recipe variable
    recipe=$(declare -f bootstrap "make_$name")
    for variable in sid_packages sysroot_packages tools_packages; do
        [[ $recipe != *"\$$variable"* ]] || recipe+=$(declare -p "$variable")
    done
    key=$(sha256sum <<<"$recipe" | cut -c 1-12)
    folder=$cache/trees/$name-$key
    if [[ ! -d $folder ]]; then
        say "making the tree $name (once)"
        mkdir -p "$cache/trees"
        exec 8>"$folder.lock"
        flock 8
        if [[ -d $folder ]]; then
            printf '%s\n' "$folder"
            return
        fi
        rm -rf --one-file-system "$folder.part"
        "make_$name" "$folder.part" >"$folder.log" 2>&1 || fail "the tree $name can't be made; the last lines of $folder.log:
$(tail -n 15 "$folder.log" | cut -c 1-400)"
        mv "$folder.part" "$folder"
        use_cached "$folder"
        clean_cache "$cache/trees" "$name"
    fi
    use_cached "$folder"
    printf '%s\n' "$folder"
}

# shellcheck disable=SC2119  # the label is optional
archive() { debian_mirror || fail "this machine's apt sources name no Debian archive (apt-get indextargets): packages are built on Debian"; }

# bootstrap FOLDER SUITE OPTIONS…: mmdebstrap from this machine's mirror. Snapshots of the archive may be older than they
# say they are valid.
bootstrap() {
    local folder=$1 suite=$2
    shift 2
    nice mmdebstrap --mode=root --skip=check/qemu --aptopt='Acquire::Check-Valid-Until "false"' "$@" "$suite" "$folder" "$(archive)"
}

# inside ROOT [FOLDER=PLACE]… -- COMMAND…: runs the command in the root with each folder mounted at its place, and without a
# network, unless the variable "online" says yes.
inside() {
    local root=$1 binds=() network=(--net)
    if [[ ${online-} ]]; then
        network=()
        cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    fi
    shift
    while [[ $1 != -- ]]; do
        binds+=("$1")
        shift
    done
    shift
    local child status=0
    # shellcheck disable=SC2016  # the inner shell expands these
    nice unshare --mount "${network[@]}" --pid --fork --kill-child bash -euc '
        root=$1 count=$2
        shift 2
        mount -t proc proc "$root/proc"
        for device in null zero full random urandom; do
            [[ -e $root/dev/$device ]] || touch "$root/dev/$device"
            mount --bind "/dev/$device" "$root/dev/$device"
        done
        mount -t tmpfs tmpfs "$root/tmp"
        for ((; count > 0; count--)); do
            mkdir -p "$root${1#*=}"
            mount --bind "${1%%=*}" "$root${1#*=}"
            shift
        done
        exec chroot "$root" "$@"' inside "$root" "${#binds[@]}" "${binds[@]}" \
        /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TZ=UTC \
        "SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-0}" "$@" &
    child=$!
    # unshare lets no signal through to what it waits for: after Ctrl-C the build would go on, and keep the lock.
    trap 'kill -KILL "$child" 2>/dev/null; exit 130' INT TERM HUP
    wait "$child" || status=$?
    trap - INT TERM HUP
    return "$status"
}
