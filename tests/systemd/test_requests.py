"""Root's half of the maintenance corner in every order of requests, and with every step failing; all programs that
would change this machine are replaced by ones that tell what they were asked. Whole systems: ``test_update``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from table_app.appliance.requests import ANSWER, OUTCOMES, REQUESTS, Request
from tests.programs import requires_program

SCRIPT = Path(__file__).parents[2] / "systemd/carry-out-request.sh"
AT_WORK = "run/lastcard-at-work"
TIMEOUT_S = 60
# Each tells what it was asked, fails where a test says so, and else does this. The archive has 2.0 for a 1.0.
TOOLS = {
    "apt-get": 'case "$*" in *--download-only*) ;; *install*) echo 2.0 >"$HERE/version" ;; esac',
    "dpkg": 'if [ "$1" = --compare-versions ]; then exec /usr/bin/dpkg "$@"; fi',
    "dpkg-query": 'cat "$HERE/version"',
    # is-active: the table runs; show: it never had to be started again.
    "systemctl": 'if [ "$1" = show ]; then echo 0; fi',
}


class Mailbox:
    """A tree in which something was asked for."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "root"
        self.requests = self.root / REQUESTS
        self.requests.mkdir(parents=True)
        self.tools = directory / "tools"
        self.tools.mkdir()
        self.asked = self.tools / "asked"
        self.failing = self.tools / "failing"
        self.failing.touch()
        (self.tools / "version").write_text("1.0\n", encoding="utf-8")
        for name, body in TOOLS.items():
            self.replace(name, body)
        # The new program's time to fall over is not waited for.
        sleep = self.tools / "sleep"
        sleep.write_text('#!/bin/sh\n[ "$1" = 10 ] || exec /bin/sleep "$@"\n', encoding="utf-8")
        sleep.chmod(0o755)

    def replace(self, name: str, body: str) -> None:
        program = self.tools / name
        program.write_text(
            f'#!/bin/sh\nHERE={self.tools}\necho "{name} $*" >>$HERE/asked\n'
            f'while read -r which; do case "{name} $*" in $which) exit 100 ;; esac; done <$HERE/failing\n{body}\n',
            encoding="utf-8",
        )
        program.chmod(0o755)

    def fail(self, *which: str) -> None:
        self.failing.write_text("".join(f"{pattern}\n" for pattern in which), encoding="utf-8")

    def ask(self, *requests: str) -> None:
        for request in requests:
            (self.requests / request).touch()

    def boot_package(self, place: str, version: str) -> Path:
        """A small real package, on the boot partition."""
        requires_program("dpkg-deb", "dpkg")
        stage = self.root.parent / f"stage-{version}"
        (stage / "DEBIAN").mkdir(parents=True, exist_ok=True)
        (stage / "DEBIAN/control").write_text(
            f"Package: lastcard\nVersion: {version}\nArchitecture: all\nMaintainer: A <a@lastcard.invalid>\n"
            "Description: test\n",
            encoding="utf-8",
        )
        # Random, so that it stays long when it is compressed.
        (stage / "content").write_bytes(os.urandom(4_000))
        made = self.root / place / f"lastcard_{version}_all.deb"
        made.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(stage), str(made)], check=True, capture_output=True)
        return made

    def carry_out(self, **environment: str) -> list[str]:
        """Run once as the unit does; the commands that were given."""
        requires_program("sh", "dash")
        self.asked.unlink(missing_ok=True)
        given = {"PATH": f"{self.tools}:/usr/bin:/bin", "LASTCARD_ROOT": str(self.root)}
        done = subprocess.run(
            ["sh", str(SCRIPT)],
            env=given | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        self.said = done.stdout + done.stderr
        return self.asked.read_text(encoding="utf-8").splitlines() if self.asked.exists() else []

    def fall_over(self, restarts: int = 3) -> None:
        """The new program runs at the moment of asking, but systemd had to start it again."""
        self.replace("systemctl", f'if [ "$1" = show ]; then echo {restarts}; fi')

    @property
    def kept(self) -> Path:
        return self.root / "var/lib/lastcard-install/packages"

    def keep(self, *versions: str) -> None:
        self.kept.mkdir(parents=True)
        for version in versions:
            (self.kept / f"lastcard_{version}_all.deb").write_text(version, encoding="utf-8")

    @property
    def answer(self) -> str:
        place = self.root / ANSWER
        return place.read_text(encoding="utf-8").strip() if place.exists() else ""

    @property
    def waiting(self) -> list[str]:
        return sorted(path.name for path in self.requests.iterdir())


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    requires_program("dpkg", "dpkg")
    return Mailbox(tmp_path)


def test_an_update_is_installed_and_told(mailbox: Mailbox) -> None:
    mailbox.ask("update")
    asked = mailbox.carry_out()
    assert mailbox.answer == "updated 1.0 2.0"
    assert mailbox.waiting == []
    installs = [line for line in asked if line.startswith("apt-get install")]
    assert len(installs) == 2
    assert "--download-only" in installs[0], "what may be given up is apart from what may not"
    for line in installs:
        assert "-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold" in line


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_version_that_falls_over_and_is_started_again_goes_back_to_the_one_before(
    is_kept: bool, mailbox: Mailbox
) -> None:
    if is_kept:
        mailbox.keep("1.0")
    mailbox.fall_over()
    mailbox.ask("update")
    asked = mailbox.carry_out()
    back = [line for line in asked if line.startswith("apt-get install") and "--allow-downgrades" in line]
    if is_kept:
        assert mailbox.answer == "went-back 1.0 2.0"
        assert len(back) == 1 and back[0].endswith(f"{mailbox.kept}/lastcard_1.0_all.deb")
    else:
        assert mailbox.answer == "does-not-run 1.0 2.0"
        assert back == []


def test_a_version_is_not_blamed_where_the_table_did_not_run_before(mailbox: Mailbox) -> None:
    mailbox.keep("1.0")
    mailbox.fail("systemctl is-active*")
    mailbox.ask("update")
    mailbox.carry_out()
    assert mailbox.answer == "updated 1.0 2.0"


def test_what_the_plug_left_half_installed_is_mended_before_anything_else(mailbox: Mailbox) -> None:
    mailbox.ask("update")
    asked = [line for line in mailbox.carry_out() if line.split()[0] in ("apt-get", "dpkg", "dpkg-query")]
    assert asked[0] == "dpkg --configure -a --force-confdef --force-confold"


@pytest.mark.parametrize("source", ["archive", "boot partition"])
def test_the_way_back_holds_the_new_version_and_the_one_before(source: str, mailbox: Mailbox) -> None:
    mailbox.keep("0.8", "0.9", "1.0")
    if source == "boot partition":
        mailbox.boot_package("boot/firmware", "2.0")
    else:
        cached = mailbox.root / "var/cache/apt/archives/lastcard_2.0_all.deb"
        cached.parent.mkdir(parents=True)
        cached.write_text("2.0", encoding="utf-8")
    mailbox.ask("update")
    mailbox.carry_out()
    assert mailbox.answer == "updated 1.0 2.0"
    assert sorted(path.name for path in mailbox.kept.iterdir()) == ["lastcard_1.0_all.deb", "lastcard_2.0_all.deb"]
    assert (mailbox.kept / "lastcard_1.0_all.deb").read_text(encoding="utf-8") == "1.0"


@pytest.mark.parametrize(
    ("requests", "command"),
    [
        (("update", "shut-down"), "systemctl poweroff --no-block"),
        (("update", "restart-machine"), "systemctl reboot --no-block"),
        (("restart-machine", "shut-down"), "systemctl poweroff --no-block"),
        (tuple(Request), "systemctl poweroff --no-block"),
    ],
)
def test_whoever_wants_the_machine_off_comes_first_and_alone(
    requests: tuple[str, ...], command: str, mailbox: Mailbox
) -> None:
    mailbox.ask(*requests)
    assert mailbox.carry_out() == [command]
    assert mailbox.waiting == []


@pytest.mark.parametrize("request_", [Request.SHUT_DOWN, Request.RESTART_MACHINE])
def test_a_machine_that_does_not_go_off_says_so_and_updates_all_the_same(request_: str, mailbox: Mailbox) -> None:
    mailbox.ask(request_)
    mailbox.fail("systemctl poweroff*", "systemctl reboot*")
    mailbox.carry_out()
    assert mailbox.answer == "not-switched-off"
    mailbox.ask(request_, "update")
    mailbox.carry_out()
    assert mailbox.answer == "updated 1.0 2.0"


@pytest.mark.parametrize("step", ["update", "--download-only"])
def test_an_update_that_is_fetching_is_given_up_for_whoever_wants_the_machine_off(step: str, mailbox: Mailbox) -> None:
    mailbox.ask("update")
    mailbox.replace(
        "apt-get", f'case "$*" in *{step}*) : >{mailbox.requests}/shut-down; exec sleep {20 * TIMEOUT_S} ;; esac'
    )
    asked = mailbox.carry_out()
    assert mailbox.answer == "given-up"
    assert mailbox.waiting == ["shut-down"], "left for the next start, which comes at once"
    assert not any("install" in line and "--download-only" not in line for line in asked)
    assert mailbox.carry_out() == ["systemctl poweroff --no-block"]


def test_a_network_that_never_answers_ends_at_its_bound(mailbox: Mailbox) -> None:
    mailbox.ask("update")
    mailbox.replace("apt-get", f"exec sleep {20 * TIMEOUT_S}")
    mailbox.carry_out(LASTCARD_FETCH_S="0.3")
    assert mailbox.answer == "failed"


def test_what_is_asked_while_packages_are_installed_waits_for_their_end(mailbox: Mailbox) -> None:
    mailbox.ask("update")
    mailbox.replace(
        "apt-get",
        f'case "$*" in *--download-only* | *update*) ;; *) : >{mailbox.requests}/shut-down\n'
        f'[ -e {mailbox.root}/{AT_WORK} ] && echo "at work" >>$HERE/asked; echo 2.0 >"$HERE/version" ;; esac',
    )
    asked = mailbox.carry_out()
    assert "at work" in asked
    assert not any("poweroff" in line for line in asked)
    assert mailbox.answer == "updated 1.0 2.0"
    assert mailbox.waiting == ["shut-down"]
    assert not (mailbox.root / AT_WORK).exists()


def test_a_stop_from_outside_lets_the_step_that_runs_end_and_blames_no_version(mailbox: Mailbox) -> None:
    """As when the machine goes off by its own button: systemd tells the script, and stops the table too."""
    mailbox.ask("update")
    mailbox.replace(
        "apt-get",
        'case "$*" in *--download-only* | *update*) ;; *) kill -TERM $PPID; echo 2.0 >"$HERE/version"\n'
        'echo "systemctl is-active*" >$HERE/failing; echo "to its end" >>$HERE/asked ;; esac',
    )
    asked = mailbox.carry_out()
    assert "to its end" in asked
    assert not any("--allow-downgrades" in line for line in asked)
    assert mailbox.answer == "updated 1.0 2.0"


@pytest.mark.parametrize("source", ["archive", "boot partition"])
def test_an_update_has_an_answer_whatever_step_fails(source: str, tmp_path: Path) -> None:
    requires_program("dpkg", "dpkg")
    whole = Mailbox(tmp_path)
    whole.ask("update")
    if source == "boot partition":
        whole.boot_package("boot/firmware", "2.0")
    steps = whole.carry_out()
    assert whole.answer == "updated 1.0 2.0"
    assert len(steps) >= 6
    for number, step in enumerate(steps):
        directory = tmp_path / str(number)
        directory.mkdir()
        mailbox = Mailbox(directory)
        mailbox.ask("update")
        if source == "boot partition":
            mailbox.boot_package("boot/firmware", "2.0")
        mailbox.fail(step.replace(str(whole.root), str(mailbox.root)))
        mailbox.carry_out()
        assert mailbox.answer.split()[:1] != [], (step, mailbox.said)
        assert mailbox.answer.split()[0] in OUTCOMES, (step, mailbox.answer)
        assert mailbox.waiting == [], step
        assert not (mailbox.root / AT_WORK).exists(), step


@pytest.mark.parametrize("bytes_kept", [0, 1, 60, 300, 2_000, 4_200])
def test_a_package_that_was_copied_halfway_is_named(bytes_kept: int, mailbox: Mailbox) -> None:
    package = mailbox.boot_package("boot/firmware", "2.0")
    content = package.read_bytes()
    assert len(content) > bytes_kept
    package.write_bytes(content[:bytes_kept])
    mailbox.ask("update")
    asked = mailbox.carry_out()
    assert mailbox.answer == f"not-whole {package}"
    assert not any(line.startswith("apt-get") for line in asked)


@pytest.mark.parametrize(("firmware", "boot"), [("0.10.0", "0.9.0"), ("0.9.0", "0.10.0"), ("0.10.0", "0.10.0~rc1")])
def test_of_two_places_the_newer_package_is_taken(firmware: str, boot: str, mailbox: Mailbox) -> None:
    (mailbox.tools / "version").write_text("0.1\n", encoding="utf-8")
    mailbox.boot_package("boot/firmware", firmware)
    mailbox.boot_package("boot", boot)
    mailbox.ask("update")
    mailbox.carry_out()
    assert mailbox.answer == "updated 0.1 0.10.0"


def test_an_unknown_word_does_not_keep_a_known_one_from_being_done(mailbox: Mailbox) -> None:
    mailbox.ask("a", ".hidden", "shut-down-not", "shut-down")
    (mailbox.requests / "z").symlink_to("/nonexistent")
    assert mailbox.carry_out() == ["systemctl poweroff --no-block"]
    assert mailbox.waiting == []
    for name in ("a", ".hidden", "shut-down-not", "z"):
        assert f"An unknown request was thrown away: {name}\n" in mailbox.said


def test_no_name_forges_a_line_in_the_log(mailbox: Mailbox) -> None:
    """A journal shows each line as the helper's own."""
    names = ["a\nUpdated from 1 to 2.", "b\r\x1b[2Jc", "\nshut-down", "update\n", "d\u009b2J"]
    mailbox.ask(*names)
    package = mailbox.boot_package("boot", "2.0")
    package.rename(package.with_name("lastcard_9.9\nupdated 1.0 9.9_all.deb"))
    with next(package.parent.iterdir()).open("r+b") as stream:
        stream.truncate(100)
    mailbox.ask("update")
    mailbox.carry_out()
    assert mailbox.waiting == []
    said = mailbox.said.splitlines()
    assert len([line for line in said if line.startswith("An unknown request was thrown away: ")]) == len(names)
    assert all(line.isascii() and line.isprintable() for line in said)
    assert not any(line.startswith(("updated", "Updated", "shut-down")) for line in said)
    assert mailbox.answer.startswith("not-whole ") and len(mailbox.answer.splitlines()) == 1
