# What takes minutes to make and is kept: FOLDER/NAME-KEY, a folder or a file with an ending, whose KEY is a hash of what it is made
# from. To be sourced. Old ones go when a new one is made, and never while another run may be using them.
# shellcheck shell=bash

# Branches go back and forth: this many of each name stay however old they are, and each stays this long.
readonly cache_keeps=2 cache_days=14

# hold_cache FOLDER: this run and what it starts use what is in there until it ends.
hold_cache() {
    # The process that started this run may hold it for both.
    [[ -z ${SCANSTATION_CACHE_LOCK-} ]] || return 0
    mkdir -p "$1"
    exec {SCANSTATION_CACHE_LOCK}>>"$1/.lock"
    flock --shared "$SCANSTATION_CACHE_LOCK"
    export SCANSTATION_CACHE_LOCK
}

# use_cached ITEM: notes that it is used, by its time.
use_cached() { touch --no-create "$1"; }

# clean_cache FOLDER NAME [WORK]: after a new NAME-KEY was made. What begins with .NAME., or WORK, are folders of killed runs: as nobody
# else is at work here, they all are.
clean_cache() {
    local folder=$1 name=$2 work=${3-.$2} key item newest now kept=0
    # While another run holds it, there will be another time.
    if ! flock --exclusive --nonblock "$SCANSTATION_CACHE_LOCK"; then
        flock --shared "$SCANSTATION_CACHE_LOCK"
        return 0
    fi
    rm -rf --one-file-system "$folder/$work".*
    printf -v now '%(%s)T' -1
    while read -r newest key; do
        [[ -n $key ]] || continue
        if ((kept < cache_keeps || now - newest < cache_days * 24 * 3600)); then
            kept=$((kept + 1))
            continue
        fi
        for item in "$folder/$name-$key" "$folder/$name-$key".*; do
            [[ ! -e $item ]] || rm -rf --one-file-system "$item"
        done
        printf '%s  %s\n' "$(date -u +%H:%M:%S)" "removed $name-$key, which wasn't used since $(date -u -d "@$newest" +%F)" >&2
    done < <(cached_keys "$folder" "$name" | sort -rn)
    flock --shared "$SCANSTATION_CACHE_LOCK"
}

# cached_keys FOLDER NAME: of each key a line, when it was last used and what it is. What only has notes beside it (its lock, its
# log, what a killed run has begun) counts by those.
cached_keys() {
    local item key
    declare -A used=() whole=()
    for item in "$1/$2"-*; do
        [[ ${item##*/} =~ ^"$2"-([0-9a-f]{12,16})(\.[a-z0-9]+)?$ ]] || continue
        key=${BASH_REMATCH[1]}
        case ${BASH_REMATCH[2]} in
        .lock | .log | .part) [[ -z ${whole[$key]-} ]] || continue ;;
        *) whole[$key]=yes used[$key]=0 ;;
        esac
        local time
        time=$(stat -c %Y "$item" 2>/dev/null) || continue
        ((time <= ${used[$key]-0})) || used[$key]=$time
    done
    for key in "${!used[@]}"; do echo "${used[$key]} $key"; done
}
