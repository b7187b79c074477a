# What hardware/lab's scripts share. Sourced.

lab_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab_cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/scanstation/lab
readonly lab_folder lab_cache

# Progress goes to standard error: standard output is for what the caller asked for.
say() { printf '%s  %s\n' "$(date -u +%H:%M:%S)" "$*" >&2; }

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

need_root() {
    [[ $(id -u) == 0 ]] || fail "building a root file system and running the virtual Pi need root: run it as root, or with sudo"
}

# Installs what isn't there. Another apt may be at work: wait for it.
need_packages() {
    local package missing=()
    for package; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    need_root
    say "installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 -q)
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 ||
        { "${apt[@]}" update >&2 && "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2; }
}

# The machine's own Debian mirrors, as in "http://HOST/debian": the first that isn't a security mirror, or is.
mirror() {
    local kind=$1 uri
    while read -r uri; do
        uri=${uri%/}
        case $kind:$uri in
            security:*security*) echo "$uri" && return ;;
            security:* | archive:*security*) ;;
            archive:*/debian) echo "$uri" && return ;;
        esac
    done < <(
        cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *//p' | tr ' ' '\n'
        cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
            sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p'
    )
    return 1
}

# Debian 13 with its updates; with a second argument, backports, too.
trixie_sources() {
    local archive security
    archive=$(mirror archive) || fail "found no Debian mirror in /etc/apt: add one"
    echo "deb $archive trixie main"
    echo "deb $archive trixie-updates main"
    if [[ ${1-} == backports ]]; then echo "deb $archive trixie-backports main"; fi
    # Without a security mirror of its own, the machine does without the updates.
    if security=$(mirror security); then echo "deb $security trixie-security main"; fi
}

# A name for what is made from these files and words: the same as long as they are.
key_of() { cat "$@" | sha256sum | cut -c1-16; }
