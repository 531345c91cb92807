#!/bin/sh
# Carries out what the table's maintenance corner asked for: the name of a file in the directory of requests.
# Runs as root, so it takes nothing from the file but that its name is one of these words, and never opens it.
set -eu

requests=${LASTCARD_REQUESTS:-/run/lastcard-requests}
answer=/run/lastcard-answer

say() {
    printf '%s\n' "$1"
    # Another file, renamed over the old answer, so that the table never reads half of one.
    printf '%s\n' "$1" >"$answer.new"
    chmod 0644 "$answer.new"
    mv -f "$answer.new" "$answer"
}

# The newest package that somebody put on the card's boot partition, which any laptop can write.
package_on_boot() {
    for directory in /boot/firmware /boot; do
        for file in "$directory"/lastcard_*_all.deb; do
            [ -f "$file" ] && printf '%s\n' "$file"
        done
    done | sort -V | tail -n 1
}

update() {
    before=$(dpkg-query -W -f '${Version}' lastcard)
    package=$(package_on_boot)
    export DEBIAN_FRONTEND=noninteractive
    if [ -n "$package" ]; then
        version=$(dpkg-deb -f "$package" Version)
        if dpkg --compare-versions "$version" gt "$before"; then
            if apt-get install -y --no-install-recommends "$package"; then
                say "Updated from $before to $version."
            else
                say "The update in $package can't be installed; the log says why: journalctl -u lastcard-request."
            fi
            return
        fi
    fi
    if ! apt-get update; then
        say "No update: the network can't be reached, and no newer lastcard_…_all.deb lies on the boot partition."
        return
    fi
    if ! apt-get install -y --only-upgrade --no-install-recommends lastcard; then
        say "The update failed; the log says why: journalctl -u lastcard-request."
        return
    fi
    after=$(dpkg-query -W -f '${Version}' lastcard)
    if [ "$before" = "$after" ]; then
        say "Nothing newer than $before was found."
    else
        say "Updated from $before to $after."
    fi
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
