# What the scripts that deal with Debian share: packages of this machine, its mirrors, programs of another processor. To be
# sourced.
# shellcheck shell=bash

# Progress goes to standard error: standard output is for what the caller asked for.
say() { printf '%s  %s\n' "$(date -u +%H:%M:%S)" "$*" >&2; }

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# need_debian PACKAGE…: ends where packages can't be looked at or installed, and says so once. What they hold has to come from elsewhere there;
# how it goes on with that says the variable "elsewhere".
need_debian() {
    local program gone missing=()
    for program in dpkg-query apt-get; do command -v "$program" >/dev/null || missing+=("$program"); done
    ((${#missing[@]})) || return 0
    printf -v gone '%s and ' "${missing[@]}"
    fail "tried to see which packages are missing here, to install them; ${gone% and } can't be found.
This works on Debian 12 or newer and on Raspberry Pi OS alone, where what is there already is taken as it is. Go on there: on a PC, in a
virtual machine or a container, on Windows in WSL with Debian. Elsewhere, what these packages of Debian hold has to come from that
system's own${elsewhere-}:
$*"
}

# Installs what isn't there, by sudo for everybody but root. Another apt may be at work: wait for it. A fresh machine has no package
# lists, and apt would complain of each package by itself: they are fetched first. An old list names files that are gone: it is fetched
# again when the first try fails.
need_packages() {
    local package missing=()
    need_debian "$@"
    for package; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=900)
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null || fail "these packages are missing and need root to install: ${missing[*]}
Run as root: apt-get install ${missing[*]}"
        apt=(sudo "${apt[@]}")
    fi
    say "installing ${missing[*]}"
    for package in "${missing[@]}"; do
        apt-cache show "$package" >/dev/null 2>&1 || { "${apt[@]}" update >&2 && break; }
    done
    "${apt[@]}" install --no-install-recommends "${missing[@]}" >&2 ||
        { "${apt[@]}" update >&2 && "${apt[@]}" install --no-install-recommends "${missing[@]}" >&2; }
}

# debian_mirror [LABEL]: where this machine gets Debian from (or Debian-Security): what its own apt sources name, whatever suite
# they use of it.
debian_mirror() {
    local label=${1:-Debian} format="\$(LABEL)|\$(REPO_URI)" found list
    named() { apt-get indextargets --format "$format" 'Created-By: Packages' | sed -n "s/^$label|//p" | sort -u | sed -n 1p; }
    found=$(named)
    # The label is in lists that a fresh machine hasn't fetched yet.
    [[ -n $found ]] || found=$(apt-get -q update >&2 && named)
    found=${found%/}
    # Debian's images for clouds name a file of mirrors.
    if [[ $found == mirror+file:* ]]; then
        list=${found#mirror+file:}
        found=$(sed -nE 's,^((http|https|ftp)://[^[:space:]]+).*,\1,p' "$list" | sed -n 1p)
    fi
    [[ -n $found ]] || return 1
    printf '%s\n' "${found%/}"
}

# The kernel runs programs for arm64 by translation once binfmt_misc is mounted and knows qemu.
emulate_arm64() {
    [[ $(dpkg --print-architecture) != arm64 ]] || return 0
    need_packages qemu-user-static binfmt-support arch-test
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc ||
        fail 'this kernel has no binfmt_misc, which programs for arm64 need to run here'
    [[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] || update-binfmts --enable qemu-aarch64 ||
        fail "the kernel can't be told how to run programs for arm64: update-binfmts --enable qemu-aarch64"
}
