# What hardware/lab's scripts share. Sourced.

lab_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab_cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/scanstation/lab
# shellcheck disable=SC2034  # for who sources this
readonly lab_folder lab_cache
. "$lab_folder/../../deploy/debian.bash"
. "$lab_folder/../../deploy/cache.bash"

need_root() {
    [[ $(id -u) == 0 ]] || fail "building a root file system and running the virtual Pi need root: run it as root, or with sudo"
}

# Debian 13 with its updates; with a second argument, backports, too.
trixie_sources() {
    local archive security
    archive=$(debian_mirror) || fail "this machine's apt sources name no Debian archive (apt-get indextargets)"
    echo "deb $archive trixie main"
    echo "deb $archive trixie-updates main"
    if [[ ${1-} == backports ]]; then echo "deb $archive trixie-backports main"; fi
    # Without a security mirror of its own, the machine does without the updates.
    if security=$(debian_mirror Debian-Security); then echo "deb $security trixie-security main"; fi
}

# A name for what is made from these files and words: the same as long as they are.
key_of() { cat "$@" | sha256sum | cut -c1-16; }
