#!/bin/sh
# Carries out what the table's maintenance corner asked for: the name of a file in the directory of requests.
# Runs as root, so it takes nothing from the file but that its name is one of these words, and never opens it.
set -eu

# The root directory; the tests give a tree.
root=${LASTCARD_ROOT:-}
requests=$root/run/lastcard-requests
answer=$root/run/lastcard-answer
# Lies there as long as an update is under way: what is asked meanwhile waits for its end.
at_work=$root/run/lastcard-at-work
# Packages that were installed by an update are kept, so that there is a way back: two of 700 kB.
kept=$root/var/lib/lastcard-install/packages
# How long lists, and then packages, may take to come: 10 MB on a line of 300 kbit/s. Installing them has no bound, as
# dpkg must not be ended in the middle.
fetch_s=${LASTCARD_FETCH_S:-300}
# How long a new program may take to fall over; systemd starts it again after two seconds.
watch_s=10

is_answered=true
is_given_up=false
is_stopping=false

# printable: what comes in, with a question mark for all by which a name could forge a line or move a cursor.
printable() { LC_ALL=C tr -c '\040-\176\000' '?'; }

# say CODE [FIELD…]: the table has the words for it, in its own language (table_app/appliance/requests.py).
say() {
    # Given up is the last word: what fails because of it is no news.
    if $is_given_up; then return; fi
    is_answered=true
    said=$(printf '%s' "$*" | printable)
    printf '%s\n' "$said"
    # Another file, renamed over the old answer, so that the table never reads half of one.
    printf '%s\n' "$said" >"$answer.new"
    chmod 0644 "$answer.new"
    mv -f "$answer.new" "$answer"
}

# Every update is answered, also one that ends where nobody thought of.
finish() {
    $is_answered || say failed
    rm -f "$at_work"
}
trap finish EXIT
# The machine goes off by its button, say. The step that runs is finished first (KillMode=mixed); no other is begun.
trap 'is_stopping=true' TERM

is_asked() { [ -e "$requests/$1" ] || [ -L "$requests/$1" ]; }
is_going_off() { $is_stopping || is_asked shut-down || is_asked restart-machine; }

version_now() { dpkg-query -W -f '${Version}' lastcard; }

# fetch ARGUMENT…: apt-get, as long as it only brings lists and packages. That may be given up at any moment: because it
# takes too long, or because somebody wants the machine off.
fetch() {
    timeout "$fetch_s" apt-get "$@" &
    fetching=$!
    while kill -0 "$fetching" 2>/dev/null; do
        if is_going_off; then
            say given-up
            is_given_up=true
            kill "$fetching" 2>/dev/null || true
        fi
        sleep 0.2
    done
    wait "$fetching" && ! $is_given_up
}

# Settings that somebody changed stay, whatever the new package brings; and another apt at work is waited for.
install_with() {
    how=$1
    shift
    $how install -y --no-install-recommends -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
        -o DPkg::Lock::Timeout=300 "$@"
}
apt_install() { install_with apt-get "$@"; }
bring() { install_with fetch --download-only "$@"; }

# The newest package that somebody put on the card's boot partition, which any laptop can write.
package_on_boot() {
    newest=''
    for file in "$root"/boot/firmware/lastcard_*_all.deb "$root"/boot/lastcard_*_all.deb; do
        [ -f "$file" ] || continue
        version=${file##*/lastcard_}
        if [ -z "$newest" ] || dpkg --compare-versions "${version%_all.deb}" gt "$newest_version"; then
            newest=$file
            newest_version=${version%_all.deb}
        fi
    done
    printf '%s\n' "$newest"
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
        # A machine that goes off stops the table too; that is no fault of the new version.
        if ! $is_stopping && ! stands; then
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
    is_answered=false
    : >"$at_work"
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
            if bring "$package" && apt_install "$package"; then
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
    if fetch update --error-on=any; then is_fresh=true; else is_fresh=false; fi
    if ! bring --only-upgrade lastcard || ! apt_install --only-upgrade lastcard; then
        say failed
        return
    fi
    after=$(version_now)
    if [ "$before" = "$after" ]; then
        if $is_fresh; then say "nothing-newer $before"; else say no-network; fi
        return
    fi
    package=$root/var/cache/apt/archives/lastcard_${after}_all.deb
    if [ -f "$package" ]; then keep "$after" "$package"; fi
    stand_or_go_back "$after"
}

# switch WORD: whether the machine goes off or starts anew; if it does not, the table is told.
switch() {
    if systemctl "$1" --no-block; then return; fi
    say not-switched-off
    return 1
}

# Whoever wants the machine off pulls the plug next. So that comes first, and an update is then not begun.
is_off=false
for request in shut-down restart-machine update; do
    is_asked "$request" || continue
    rm -rf -- "${requests:?}/$request"
    if $is_off; then
        printf 'Thrown away, as the machine goes off: %s\n' "$request"
        continue
    fi
    case $request in
    shut-down) if switch poweroff; then is_off=true; fi ;;
    restart-machine) if switch reboot; then is_off=true; fi ;;
    update) update ;;
    esac
done

# Anything else would start this again at once, for ever: links whose target is missing and hidden names too. What was
# asked in the meantime is left to that next start.
find "$requests" -mindepth 1 -maxdepth 1 ! -name shut-down ! -name restart-machine ! -name update \
    -printf 'An unknown request was thrown away: %f\0' -exec rm -rf -- {} + | printable | tr '\000' '\n' >&2
