#!/usr/bin/env bash
# Installs Last Card on Raspberry Pi OS or Debian (12 and 13) from the package that lies beside this script.
# Safe to run again at any time: it changes only what is not yet as it should be, and says what it changes.
#
#   sudo ./install.sh [--yes] [--kiosk] [--power-button PIN] [--user NAME] [--dry-run]
#   sudo ./install.sh --uninstall [--purge] [--yes]
set -euo pipefail

# The root directory; the tests give a tree. Everything that tells machines apart is read below it.
root=${LASTCARD_ROOT:-}
log=$root/var/log/lastcard-install.log
notes=$root/var/lib/lastcard-install
is_yes=false
is_kiosk=asked
is_dry=false
is_uninstall=false
is_purge=false
login=${SUDO_USER:-}
must_restart=false
power_pin=

usage() {
    cat <<'TEXT'
Install Last Card, the referee at a card table.

  sudo ./install.sh [--yes] [--kiosk] [--power-button PIN] [--user NAME] [--dry-run]
  sudo ./install.sh --uninstall [--purge] [--yes] [--dry-run]

  --yes        ask nothing: take the answers that stand in capitals
  --kiosk      start the table full screen whenever this machine is switched on
  --power-button PIN
               a button between this pin (BCM number) and ground switches a Raspberry Pi off when held for two seconds
  --user NAME  let this person use the reader and the pins from a login too
  --dry-run    say what would be done, and do nothing
  --uninstall  take the program away; matches and settings stay
  --purge      with --uninstall: take matches and settings away too
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

# Runs a command, or in a dry run says it.
run() {
    if $is_dry; then
        say "would run: $*"
    else
        say "run: $*"
        "$@"
    fi
}

# ask QUESTION DEFAULT(yes|no); without a terminal or with --yes the default is the answer.
ask() {
    local answer hint='[Y/n]'
    [ "$2" = yes ] || hint='[y/N]'
    if $is_yes || [ ! -t 0 ]; then
        [ "$2" = yes ]
        return
    fi
    read -r -p "$1 $hint " answer
    case ${answer:-$2} in
    [Yy]*) return 0 ;;
    *) return 1 ;;
    esac
}

# -- what machine this is --------------------------------------------------------------------------------------

is_raspberry() { tr -d '\0' 2>/dev/null <"$root/proc/device-tree/model" | grep -q 'Raspberry Pi'; }
has_raspi_config() { [ -x "$root/usr/bin/raspi-config" ]; }
is_spi_on() { compgen -G "$root/dev/spidev*" >/dev/null; }

# A desktop is what would hold the screen: a display manager that starts by itself.
has_desktop() {
    [ -e "$root/etc/systemd/system/display-manager.service" ] &&
        [ "$(readlink "$root/etc/systemd/system/default.target" || true)" != /lib/systemd/system/multi-user.target ] &&
        [ "$(readlink "$root/etc/systemd/system/default.target" || true)" != /usr/lib/systemd/system/multi-user.target ]
}

codename() { sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release"; }

boot_config() {
    for file in "$root/boot/firmware/config.txt" "$root/boot/config.txt"; do
        [ -f "$file" ] && printf '%s\n' "$file" && return
    done
    return 1
}

check_system() {
    [ -f "$root/etc/os-release" ] || fail "This is not Debian. Last Card's package needs Debian 12 or 13, or Raspberry Pi OS."
    grep -Eq '^ID(_LIKE)?=.*(debian|raspbian)' "$root/etc/os-release" ||
        fail "This is not Debian. Use pip install lastcard in an environment of your own instead."
    case $(codename) in
    bookworm | trixie) ;;
    bullseye | buster) fail "This system ($(codename)) is too old: Python 3.11 is needed. Write Raspberry Pi OS anew to the card." ;;
    *) say "This release ($(codename)) has not been tried with Last Card; going on." ;;
    esac
    command -v apt-get >/dev/null || fail "apt-get is not there, so nothing can be installed."
}

find_package() {
    local here directory
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    for directory in "$here" "$here/../dist" .; do
        compgen -G "$directory/lastcard_*_all.deb" || true
    done | sort -V | tail -n 1
}

# -- installing ------------------------------------------------------------------------------------------------

# What apt has no candidate for is left out: plain Debian has no python3-lgpio.
available() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }

install_package() {
    local package=$1 extra extras=() new=()
    for extra in python3-spidev python3-lgpio; do
        if available "$extra"; then extras+=("$extra"); else say "$extra is not in this system's archive; only a Raspberry Pi needs it."; fi
    done
    if $is_kiosk; then extras+=(libegl1 libgles2 libgl1-mesa-dri); fi
    # A PyPI pygame beside Debian's would win or lose by chance, and the newest one can't draw without a desktop.
    if [ -n "$(compgen -G "$root/usr/local/lib/python3*/dist-packages/pygame" || true)" ]; then
        say "A pygame from PyPI lies in /usr/local. The package does not see it; for lastcard from pip there may be only one."
    fi
    # Naming one that is there already would make apt think that somebody wants it for its own sake.
    for extra in "${extras[@]}"; do is_installed "$extra" || new+=("$extra"); done
    # Settings that somebody changed stay, whatever a newer package brings; and another apt at work is waited for.
    run apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confdef \
        -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 "$(realpath "$package")" "${new[@]}"
    # The way back from an update that does not run: carry-out-request.sh.
    run command install -D -m 0644 "$package" "$notes/packages/lastcard_$(dpkg-deb -f "$package" Version)_all.deb"
    # They came for the table alone: once it is gone, apt autoremove may take them.
    if [ ${#new[@]} -gt 0 ]; then run apt-mark auto "${new[@]}"; fi
}

# add_to_config FILE LINE: to the Pi's config.txt, once.
add_to_config() {
    local config=$1
    if grep -qxF "$2" "$config"; then
        say "$2 stands in $config and works from the next start."
    elif $is_dry; then
        say "would add $2 to $config"
    else
        printf '\n[all]\n%s\n' "$2" >>"$config"
        say "Added $2 to $config."
        note "config $2"
    fi
    must_restart=true
}

switch_spi_on() {
    local config
    is_raspberry || return 0
    if is_spi_on; then
        say "SPI is on already."
    elif has_raspi_config; then
        # For raspi-config 0 means on.
        run raspi-config nonint do_spi 0
        must_restart=true
    elif config=$(boot_config); then
        add_to_config "$config" dtparam=spi=on
    else
        say "SPI is off and no config.txt was found; switch it on in your own way."
    fi
}

# The kernel's own power key: the debounce makes it a press of two seconds, so that nobody ends a match by leaning on it.
add_power_button() {
    local config
    [ -n "$power_pin" ] || return 0
    is_raspberry || fail "--power-button is for a Raspberry Pi; this is none."
    config=$(boot_config) || fail "No config.txt was found, so there is no place to name the power button."
    if grep -q '^dtoverlay=gpio-shutdown' "$config" &&
        ! grep -qxF "dtoverlay=gpio-shutdown,gpio_pin=$power_pin,debounce=2000" "$config"; then
        fail "$config has a power button already (dtoverlay=gpio-shutdown). Change it there."
    fi
    add_to_config "$config" "dtoverlay=gpio-shutdown,gpio_pin=$power_pin,debounce=2000"
}

let_user_in() {
    local group
    [ -n "$login" ] && [ "$login" != root ] || return 0
    getent passwd "$login" >/dev/null || fail "There is no user $login. Name one that is there with --user."
    for group in spi gpio video render input audio dialout; do
        getent group "$group" >/dev/null || continue
        if id -nG "$login" | tr ' ' '\n' | grep -qx "$group"; then continue; fi
        run usermod -aG "$group" "$login"
        # Taken back at uninstall, and nothing else.
        $is_dry || note "group $group $login"
    done
}

note() {
    mkdir -p "$notes"
    grep -qsxF "$1" "$notes/changes" || printf '%s\n' "$1" >>"$notes/changes"
}

start_kiosk() {
    local before
    if has_desktop; then
        before=$(systemctl get-default)
        say "This machine starts a desktop, which would hold the screen; it will start without one from now on."
        $is_dry || note "target $before"
        run systemctl set-default multi-user.target
        must_restart=true
    fi
    run systemctl enable lastcard.service
    # With a desktop running the screen is taken until the next start.
    if $must_restart; then say "The table starts by itself after the next restart."; else run systemctl start lastcard.service; fi
}

install() {
    local package
    check_system
    package=$(find_package)
    [ -n "$package" ] || fail "No lastcard_…_all.deb lies beside this script. Download it there, or build it with: make deb"
    say "This is $(tr -d '\0' 2>/dev/null <"$root/proc/device-tree/model" || uname -m), $(codename)."
    if [ "$is_kiosk" = asked ]; then
        if ask "Start the table full screen whenever this machine is switched on?" no; then is_kiosk=true; else is_kiosk=false; fi
    fi
    ask "Install $(basename "$package") now?" yes || fail "Nothing was changed."
    run apt-get update
    install_package "$package"
    switch_spi_on
    add_power_button
    let_user_in
    if $is_kiosk; then start_kiosk; fi
    $is_dry || report
    say "Done.$(if $must_restart; then printf ' Restart this machine: sudo reboot'; fi)"
}

# What a person should know now. The doctor's own exit status is no failure of the installation.
report() {
    say
    lastcard doctor || true
    say
    say "The log of this installation: $log"
}

# -- taking away -----------------------------------------------------------------------------------------------

undo_changes() {
    local kind what who file
    [ -d "$notes" ] || return 0
    while read -r kind what who; do
        case $kind in
        # What the line alone says; the heading before it stays and does nothing.
        config) if file=$(boot_config); then run sed -i "/^${what//\//\\/}\$/d" "$file"; fi ;;
        target) run systemctl set-default "$what" ;;
        group) if getent passwd "$who" >/dev/null; then run gpasswd -d "$who" "$what"; fi ;;
        esac
    done < <(cat "$notes/changes" 2>/dev/null || true)
    run rm -rf "$notes"
}

uninstall() {
    local verb=remove
    if $is_purge; then verb=purge; fi
    if $is_purge; then
        ask "Take Last Card away, with every match, tag and setting?" "$(if $is_yes; then echo yes; else echo no; fi)" || fail "Nothing was changed."
    else
        ask "Take Last Card away? Matches and settings stay." yes || fail "Nothing was changed."
    fi
    if systemctl is-enabled --quiet lastcard.service 2>/dev/null; then run systemctl disable lastcard.service; fi
    undo_changes
    if dpkg-query -W lastcard >/dev/null 2>&1; then
        run apt-get "$verb" -y lastcard
    else
        say "Last Card is not installed."
    fi
    if $is_purge; then
        run rm -f "$log"
    else
        say "Matches stay in /var/lib/lastcard, settings in /etc/lastcard."
    fi
}

main() {
    while [ $# -gt 0 ]; do
        case $1 in
        --yes) is_yes=true ;;
        --kiosk) is_kiosk=true ;;
        --user)
            [ $# -ge 2 ] || fail "--user needs a name."
            login=$2
            shift
            ;;
        --power-button)
            case ${2:-} in
            [0-9] | 1[0-9] | 2[0-7]) power_pin=$2 ;;
            *) fail "--power-button needs a pin's BCM number, from 0 to 27." ;;
            esac
            shift
            ;;
        --dry-run) is_dry=true ;;
        --uninstall) is_uninstall=true ;;
        --purge) is_purge=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) fail "Unknown option $1; install.sh --help lists them." ;;
        esac
        shift
    done
    if $is_purge && ! $is_uninstall; then fail "--purge goes with --uninstall."; fi
    if $is_yes && [ "$is_kiosk" = asked ]; then is_kiosk=false; fi
    export DEBIAN_FRONTEND=noninteractive
    if ! $is_dry; then
        [ "$(id -u)" = 0 ] || fail "Run it as root: sudo $0"
        mkdir -p "$(dirname "$log")"
        exec > >(tee -a "$log") 2>&1
        # The last lines must be out before whoever called us goes on.
        trap 'exec >&- 2>&-; wait '"$!" EXIT
        say "$(date --iso-8601=seconds) install.sh, version of the package: $(basename "$(find_package)")"
    fi
    if $is_uninstall; then uninstall; else install; fi
}

# The body is a function, so that a download that was cut short does nothing at all.
main "$@"
