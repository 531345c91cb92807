#!/bin/sh
# Carries out what the table's maintenance corner asked for: the name of a file in the directory of requests.
# Runs as root, so it takes nothing from the file but that its name is one of these words, and never opens it.
set -eu

requests=${LASTCARD_REQUESTS:-/run/lastcard-requests}
answer=/run/lastcard-answer
# Packages that were installed by an update are kept, so that there is a way back: two of 700 kB.
kept=/var/lib/lastcard-install/packages
# How long a new program may take to fall over; systemd starts it again after two seconds.
watch_s=10

# say CODE [FIELD…]: the table has the words for it, in its own language (table_app/appliance/requests.py).
say() {
    printf '%s\n' "$*"
    # Another file, renamed over the old answer, so that the table never reads half of one.
    printf '%s\n' "$*" >"$answer.new"
    chmod 0644 "$answer.new"
    mv -f "$answer.new" "$answer"
}

version_now() { dpkg-query -W -f '${Version}' lastcard; }

# Settings that somebody changed stay, whatever the new package brings; and another apt at work is waited for.
apt_install() {
    apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
        -o DPkg::Lock::Timeout=300 "$@"
}

# The newest package that somebody put on the card's boot partition, which any laptop can write.
package_on_boot() {
    for directory in /boot/firmware /boot; do
        for file in "$directory"/lastcard_*_all.deb; do
            [ -f "$file" ] && printf '%s\n' "$file"
        done
    done | sort -V | tail -n 1
}

# A file that was copied halfway is found before anything is taken apart for it.
is_whole_package() {
    [ "$(dpkg-deb -f "$1" Package 2>/dev/null)" = lastcard ] && dpkg-deb --fsys-tarfile "$1" >/dev/null
}

runs() { systemctl is-active --quiet lastcard.service; }

# Not only at this moment between two falls: it was not started again by itself since the package started it.
stands() { runs && [ "$(systemctl show -P NRestarts lastcard.service)" = 0 ]; }

# keep VERSION FILE: for the way back; of all others only the version before stays.
keep() {
    mkdir -p "$kept"
    cp -f "$2" "$kept/lastcard_$1_all.deb"
    for file in "$kept"/*.deb; do
        case $file in
        "$kept/lastcard_$1_all.deb" | "$kept/lastcard_${before}_all.deb") ;;
        *) rm -f "$file" ;;
        esac
    done
}

# Whether the program that ran before the update still does; else back to the package before, if it was kept.
stand_or_go_back() {
    after=$1
    if $ran_before; then
        sleep "$watch_s"
        if ! stands; then
            if [ -f "$kept/lastcard_${before}_all.deb" ] && apt_install --allow-downgrades "$kept/lastcard_${before}_all.deb"; then
                say "went-back $before $after"
            else
                say "does-not-run $before $after"
            fi
            return
        fi
    fi
    say "updated $before $after"
}

update() {
    export DEBIAN_FRONTEND=noninteractive
    # The plug may have ended the last update in the middle; before that is mended nothing can be installed.
    dpkg --configure -a --force-confdef --force-confold || true
    before=$(version_now)
    if runs; then ran_before=true; else ran_before=false; fi
    package=$(package_on_boot)
    if [ -n "$package" ]; then
        if ! is_whole_package "$package"; then
            say "not-whole $package"
            return
        fi
        version=$(dpkg-deb -f "$package" Version)
        if dpkg --compare-versions "$version" gt "$before"; then
            if apt_install "$package"; then
                keep "$version" "$package"
                stand_or_go_back "$version"
            else
                say "not-installed $package"
            fi
            return
        fi
    fi
    # By itself apt takes an archive that can't be reached for none of its business. One of several may be down, though,
    # and ours be there: so the update is tried all the same.
    if apt-get update --error-on=any; then is_fresh=true; else is_fresh=false; fi
    if ! apt_install --only-upgrade lastcard; then
        say failed
        return
    fi
    after=$(version_now)
    if [ "$before" = "$after" ]; then
        if $is_fresh; then say "nothing-newer $before"; else say no-network; fi
        return
    fi
    package=/var/cache/apt/archives/lastcard_${after}_all.deb
    if [ -f "$package" ]; then keep "$after" "$package"; fi
    stand_or_go_back "$after"
}

for path in "$requests"/*; do
    # A link whose target is missing counts as a file too: it must go, or this would start for ever.
    [ -e "$path" ] || [ -L "$path" ] || continue
    request=${path##*/}
    rm -rf -- "$path"
    case $request in
    shut-down) systemctl poweroff --no-block ;;
    restart-machine) systemctl reboot --no-block ;;
    update) update ;;
    *) printf 'An unknown request was thrown away: %s\n' "$request" >&2 ;;
    esac
done
# Names that begin with a dot are not in the list above and would start this again at once.
find "$requests" -mindepth 1 -maxdepth 1 -name '.*' -exec rm -rf -- {} +
