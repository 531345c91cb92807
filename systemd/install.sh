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
is_take_back=false
login=${SUDO_USER:-}
is_login_named=false
must_restart=false
is_told=false
power_pin=
# Goes before each line that is added to config.txt; taken back as one piece.
config_mark='# Added by the installer of Last Card'

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
  --take-back  take back what the installer changed, and nothing else: what apt remove does by itself
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
    is_told=true
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

# Whatever ends this has a sentence, also what nobody thought of. shellcheck does not see that trap calls it.
# shellcheck disable=SC2317
finish() {
    local status=$?
    if [ "$status" -ne 0 ] && ! $is_told; then
        printf 'install.sh: This was not finished; what stands above says why. Run it again: it goes on where it stopped.\n' >&2
        status=2
    fi
    if [ -n "${logger:-}" ]; then
        # The last lines must be out before whoever called us goes on.
        exec >&- 2>&-
        wait "$logger"
    fi
    exit "$status"
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

# A desktop is what would hold the screen: a display manager that starts by itself.
has_desktop() {
    [ -e "$root/etc/systemd/system/display-manager.service" ] &&
        [ "$(readlink "$root/etc/systemd/system/default.target" || true)" != /lib/systemd/system/multi-user.target ] &&
        [ "$(readlink "$root/etc/systemd/system/default.target" || true)" != /usr/lib/systemd/system/multi-user.target ]
}

codename() { sed -n 's/^VERSION_CODENAME="\{0,1\}\([a-z]*\).*/\1/p' "$root/etc/os-release"; }

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

# The newest by its version, whichever directory it lies in. Never the current one: as root, nothing is taken from where
# anybody may put a file.
find_package() {
    local here directory file version newest='' newest_version=''
    local directories=()
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    directories=("$here")
    # In the sources: where make deb puts it.
    if [ "$(basename "$here")" = systemd ]; then directories+=("$here/../dist"); fi
    for directory in "${directories[@]}"; do
        for file in "$directory"/lastcard_*_all.deb; do
            [ -f "$file" ] || continue
            version=${file##*/lastcard_}
            version=${version%_all.deb}
            if [ -z "$newest" ] || dpkg --compare-versions "$version" gt "$newest_version"; then
                newest=$file
                newest_version=$version
            fi
        done
    done
    printf '%s\n' "$newest"
}

# Before anything is changed. getent takes a number too, and then gives another name.
check_login() {
    [ -n "$login" ] || return 0
    if [ "$(getent passwd "$login" | cut -d: -f1)" = "$login" ]; then return; fi
    if $is_login_named; then fail "There is no user $login. Name one that is there with --user."; fi
    login=
}

# -- installing ------------------------------------------------------------------------------------------------

# What apt has no candidate for is left out: plain Debian has no python3-lgpio. What it prints is translated but in C.
available() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

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
        -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 "$(realpath "$package")" "${new[@]}" ||
        fail "Last Card can't be installed; what apt-get says above says why. Run it again once that is mended."
    # The way back from an update that does not run: carry-out-request.sh.
    run command install -D -m 0644 "$package" "$notes/packages/lastcard_$(dpkg-deb -f "$package" Version)_all.deb"
    # They came for the table alone: once it is gone, apt autoremove may take them.
    if [ ${#new[@]} -gt 0 ]; then run apt-mark auto "${new[@]}" || true; fi
}

# look_at_spi PACKAGE: how it stands with the header's SPI, by the program's own parser, which reads config.txt's sections for
# this very board. It is taken out of the package: in a dry run nothing else of it is there.
look_at_spi() {
    local said=()
    mapfile -t said < <(dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/lib/lastcard/hardware/header_spi.py |
        python3 -I - "${root:-/}")
    spi_state=${said[0]:-unknown}
    spi_config=${said[1]:-unknown}
    spi_why=${said[2]:-}
    spi_fix=${said[3]:-}
}

# replace FILE: with what comes in. A whole file or the old one, should the plug be pulled; no owner or mode on FAT.
replace() {
    if cat >"$1.new" && sync "$1.new" && mv -f "$1.new" "$1"; then return; fi
    rm -f "$1.new" || true
    return 1
}

# add_to_config FILE LINE: to the Pi's config.txt, for all boards, whatever stands before it.
add_to_config() {
    local config=$1
    if $is_dry; then
        say "would add $2 to $config"
    elif { cat "$config" && printf '\n%s\n[all]\n%s\n' "$config_mark" "$2"; } | replace "$config"; then
        note "config $2"
        say "Added $2 to $config."
        must_restart=true
    else
        say "$config can't be written. Add the line $2 to it by hand."
    fi
}

# take_out_of_config LINE: what add_to_config put there; fails where somebody has changed it since, and leaves it alone.
take_out_of_config() {
    local config
    if ! config=$(boot_config) || ! grep -qxF "$1" "$config"; then
        say "$1 stands in no config.txt any more."
    elif $is_dry; then
        say "would take $1 out of $config"
    elif [ "$(tail -n 3 "$config")" = "$(printf '%s\n[all]\n%s' "$config_mark" "$1")" ]; then
        # With the empty line before it.
        head -n -3 "$config" | sed '${/^$/d}' | replace "$config"
    else
        # Lines were added after it, which count for all boards and have to go on doing so.
        local without="/^$config_mark\$/{N;N;s/.*\n\[all\]\n$1\$/[all]/}"
        if sed "$without" "$config" | cmp -s - "$config"; then return 1; fi
        sed "$without" "$config" | replace "$config"
    fi
}

switch_spi_on() {
    is_raspberry || return 0
    look_at_spi "$1"
    case $spi_state in
    there) say "SPI is on already." ;;
    off) turn_spi_on "$1" ;;
    unknown) say "Whether SPI is on can't be told without python3; after the installation lastcard doctor says it." ;;
    *)
        say "$spi_why $spi_fix"
        must_restart=true
        ;;
    esac
}

turn_spi_on() {
    local config
    if has_raspi_config; then
        $is_dry || note "spi raspi-config"
        # For raspi-config 0 means on. It works at once.
        run raspi-config nonint do_spi 0 || say "raspi-config can't switch SPI on. Do it by hand: sudo raspi-config, Interface Options."
        if $is_dry; then return; fi
        udevadm settle --timeout=5 || true
        look_at_spi "$1"
        [ "$spi_state" = there ] || must_restart=true
        # It changes a line where that stands, also in the section of another board: then it is off again after the next start.
        if [ "$spi_config" = on ] || ! config=$(boot_config); then return; fi
        add_to_config "$config" dtparam=spi=on
    elif config=$(boot_config); then
        say "$spi_why"
        add_to_config "$config" dtparam=spi=on
    else
        say "$spi_why $spi_fix"
    fi
}

# Before anything is changed.
check_power_button() {
    local config
    [ -n "$power_pin" ] || return 0
    is_raspberry || fail "--power-button is for a Raspberry Pi; this is none."
    config=$(boot_config) || fail "No config.txt was found, so there is no place to name the power button."
    if grep -q '^dtoverlay=gpio-shutdown' "$config" && ! grep -qxF "$(power_button_line)" "$config"; then
        fail "$config has a power button already (dtoverlay=gpio-shutdown). Change it there."
    fi
}

# The kernel's own power key: the debounce makes it a press of two seconds, so that nobody ends a match by leaning on it.
power_button_line() { printf 'dtoverlay=gpio-shutdown,gpio_pin=%s,debounce=2000\n' "$power_pin"; }

add_power_button() {
    local config
    [ -n "$power_pin" ] || return 0
    config=$(boot_config)
    if grep -qxF "$(power_button_line)" "$config"; then
        say "The power button stands in $config and works from the next start."
    else
        add_to_config "$config" "$(power_button_line)"
    fi
}

let_user_in() {
    local group
    [ -n "$login" ] && [ "$login" != root ] || return 0
    for group in spi gpio video render input audio dialout; do
        getent group "$group" >/dev/null || continue
        if id -nG "$login" | tr ' ' '\n' | grep -qx "$group"; then continue; fi
        # Taken back at uninstall, and nothing else.
        $is_dry || note "group $group $login"
        run usermod -aG "$group" "$login" || say "$login can't be put into the group $group; what usermod says above says why."
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
    # Whoever had switched it on by hand keeps it on.
    $is_dry || systemctl is-enabled --quiet lastcard.service 2>/dev/null || note "service lastcard.service"
    run systemctl enable lastcard.service || fail "The table can't be started with the machine; what systemctl says above says why."
    # With a desktop running the screen is taken until the next start.
    if $must_restart; then say "The table starts by itself after the next restart."; else
        run systemctl start lastcard.service || say "The table does not start; the log says why: journalctl -u lastcard."
    fi
}

# The plug may have ended an installation in the middle; before that is mended nothing can be installed or taken away.
mend_dpkg() {
    run dpkg --configure -a --force-confdef --force-confold ||
        fail "An earlier installation of some package was not finished and can't be; what dpkg says above says why."
}

install() {
    local package
    check_system
    check_login
    check_power_button
    package=$(find_package)
    [ -n "$package" ] || fail "No lastcard_…_all.deb lies beside this script. Build it in the clone with: make deb; then run this again, or copy dist/lastcard_…_all.deb beside this script."
    say "This is $(tr -d '\0' 2>/dev/null <"$root/proc/device-tree/model" || uname -m), $(codename)."
    if [ "$is_kiosk" = asked ]; then
        if ask "Start the table full screen whenever this machine is switched on?" no; then is_kiosk=true; else is_kiosk=false; fi
    fi
    ask "Install $(basename "$package") now?" yes || fail "Nothing was changed."
    $is_dry || dpkg-deb --fsys-tarfile "$package" >/dev/null 2>&1 ||
        fail "$(basename "$package") is not whole. Copy or download it again; nothing was changed."
    mend_dpkg
    run apt-get update || say "Not every source of packages can be read, as apt-get says above; going on with what is known of it."
    install_package "$package"
    switch_spi_on "$package"
    add_power_button
    let_user_in
    if $is_kiosk; then start_kiosk; fi
    if $is_dry; then
        say "Nothing was changed: this was a dry run."
        return
    fi
    report
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

# The last first. One that can't be taken back, because somebody did it by hand or because it is gone, does not keep the others.
undo_changes() {
    local kind what who
    [ -d "$notes" ] || return 0
    while read -r kind what who; do
        case $kind in
        target)
            # Somebody may have chosen another since.
            if [ "$(systemctl get-default)" = multi-user.target ]; then
                run systemctl set-default "$what" || say "Choose by hand how this machine starts: systemctl set-default $what"
            fi
            ;;
        group)
            if id -nG "$who" 2>/dev/null | tr ' ' '\n' | grep -qx "$what"; then
                run gpasswd -d "$who" "$what" || say "$who stays in the group $what."
            fi
            ;;
        service)
            if systemctl is-enabled --quiet "$what" 2>/dev/null; then
                run systemctl disable "$what" || say "$what still starts by itself; switch it off by hand: systemctl disable $what"
            fi
            ;;
        spi) run raspi-config nonint do_spi 1 || say "SPI stays on; switch it off by hand, if nothing else uses it." ;;
        config) take_out_of_config "$what" || say "$what stays in config.txt; take it out by hand." ;;
        esac
    done < <(tac "$notes/changes" 2>/dev/null || true)
    run rm -rf "$notes"
}

# confirm QUESTION DEFAULT(yes|no): ends everything unless it is answered with yes. A dry run goes on and says what it would ask.
confirm() {
    if $is_dry; then
        $is_yes || say "would ask: $1"
        return
    fi
    ask "$1" "$2" && return
    [ -t 0 ] || fail "Nothing was changed. Without a terminal nobody can be asked: give --yes with it."
    fail "Nothing was changed."
}

uninstall() {
    local verb=remove
    if $is_purge; then verb=purge; fi
    if $is_purge; then
        confirm "Take Last Card away, with every match, tag and setting?" "$(if $is_yes; then echo yes; else echo no; fi)"
    else
        confirm "Take Last Card away? Matches and settings stay." yes
    fi
    if systemctl is-enabled --quiet lastcard.service 2>/dev/null; then run systemctl disable lastcard.service || true; fi
    undo_changes
    mend_dpkg
    if dpkg-query -W lastcard >/dev/null 2>&1; then
        run apt-get "$verb" -y -o DPkg::Lock::Timeout=300 lastcard ||
            fail "Last Card can't be taken away; what apt-get says above says why."
    else
        say "Last Card is not installed."
    fi
    if $is_purge; then
        run rm -f "$log"
    else
        say "Matches stay in /var/lib/lastcard, settings in /etc/lastcard."
    fi
    if $is_dry; then say "Nothing was changed: this was a dry run."; fi
}

main() {
    while [ $# -gt 0 ]; do
        case $1 in
        --yes) is_yes=true ;;
        --kiosk) is_kiosk=true ;;
        --user)
            [ $# -ge 2 ] || fail "--user needs a name."
            login=$2
            is_login_named=true
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
        --take-back) is_take_back=true ;;
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
    trap finish EXIT
    if $is_take_back; then
        [ "$(id -u)" = 0 ] || fail "Run it as root: sudo $0"
        undo_changes
        return
    fi
    if ! $is_dry; then
        [ "$(id -u)" = 0 ] || fail "Run it as root: sudo $0"
        mkdir -p "$(dirname "$log")"
        exec > >(tee -a "$log") 2>&1
        logger=$!
        say "$(date --iso-8601=seconds) install.sh"
    fi
    if $is_uninstall; then uninstall; else install; fi
}

# The body is a function, and the braces end last, so that a download that was cut short anywhere does nothing at all.
{
    main "$@"
    exit
}
