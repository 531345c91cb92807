"""Builds the Debian package: ``python systemd/package/build.py [--into DIRECTORY]``; prints the path of the package.

Standard library, pip and dpkg-deb only. The same sources give the same bytes: all times are that of the last commit.
Nothing of the project is decided here; what the package does when it is installed is in the scripts beside this file.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEMD = HERE.parent
PROJECT = SYSTEMD.parent
LIBRARY = "usr/lib/lastcard"
# Where each file of systemd/ goes, and its mode.
FILES = (
    ("lastcard.service", "usr/lib/systemd/system/lastcard.service", 0o644),
    ("lastcard-request.path", "usr/lib/systemd/system/lastcard-request.path", 0o644),
    ("lastcard-request.service", "usr/lib/systemd/system/lastcard-request.service", 0o644),
    ("carry-out-request.sh", f"{LIBRARY}/carry-out-request", 0o755),
    ("install.sh", f"{LIBRARY}/install", 0o755),
    ("lastcard.sysusers", "usr/lib/sysusers.d/lastcard.conf", 0o644),
    ("lastcard.tmpfiles", "usr/lib/tmpfiles.d/lastcard.conf", 0o644),
    ("60-lastcard.rules", "usr/lib/udev/rules.d/60-lastcard.rules", 0o644),
    ("package/launcher.py", "usr/bin/lastcard", 0o755),
    ("package/lastcard.desktop", "usr/share/applications/lastcard.desktop", 0o644),
    ("README.md", "usr/share/doc/lastcard/README.md", 0o644),
    ("package/copyright", "usr/share/doc/lastcard/copyright", 0o644),
)
SCRIPTS = ("postinst", "prerm", "postrm")
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
SETTINGS = "etc/lastcard/lastcard.toml"
# What nothing here runs: gpiozero's own commands, its boards, its devices of the machine itself and their letters, its
# way to a daemon that Debian 13 has no more; of ndeflib all records but text, link and unknown; lists of installed
# files; what translators write, of which the program reads the compiled form; and what serves only tests and pages: the
# simulated board, faults of a simulated chip, RPi.GPIO on simulated pins.
LEFT_OUT = re.compile(
    r"^gpiozerocli/|^gpiozero/(boards|internal_devices|tools)\.py$|^gpiozero/fonts/|^gpiozero/pins/pigpio\.py$"
    r"|^ndef/(bluetooth|deviceinfo|handover|signature|smartposter|wifi)\.py$"
    r"|\.dist-info/(RECORD|WHEEL|INSTALLER|REQUESTED|top_level\.txt)$|/py\.typed$|\.po$"
    r"|^hardware/simulated/(faults|microcontroller|rpi_gpio)\.py$|^hardware/simulated/micropython/"
)
# The lines of the doors of those two packages that name what is left out.
NOT_NAMED = {
    "gpiozero/__init__.py": re.compile(r"^from \.(?:boards|internal_devices) import \([^)]*\)\n", re.MULTILINE),
    "ndef/__init__.py": re.compile(
        r"^    from \. import (?:bluetooth|deviceinfo|handover|signature|smartposter|wifi)\n"
        r"|^\w+ = (?:bluetooth|deviceinfo|handover|signature|smartposter|wifi)\.\w+\n",
        re.MULTILINE,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the Debian package.")
    parser.add_argument("--into", type=Path, default=PROJECT / "dist", help="directory of the package (dist)")
    into: Path = parser.parse_args().into
    into.mkdir(parents=True, exist_ok=True)
    sys.stdout.write(f"{build(into)}\n")


def build(into: Path) -> Path:
    """Build the package and return its path in *into*."""
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    epoch = _epoch()
    with tempfile.TemporaryDirectory() as scratch:
        stage = Path(scratch) / "stage"
        library = stage / LIBRARY
        library.mkdir(parents=True)
        for wheel in _wheels(Path(scratch) / "wheels"):
            _unpack(wheel, library)
        _trim(library)
        _install_files(stage, version, epoch)
        _control(stage, version)
        _settle(stage, epoch)
        package = into / f"lastcard_{version}_all.deb"
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(stage), str(package)]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
        )
    return package


def _epoch() -> int:
    """The time of the last commit, or what the environment says, in seconds."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    asked = subprocess.run(
        ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False
    )
    return int(asked.stdout) if asked.returncode == 0 and asked.stdout.strip() else int(time.time())


def _wheels(into: Path) -> list[Path]:
    """Our own wheel and those of the bundle."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    bundled = HERE / "bundled.txt"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(into), str(PROJECT)], check=True)
    command = [*pip, "download", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest", str(into)]
    subprocess.run([*command, "-r", str(bundled)], check=True)
    return sorted(into.glob("*.whl"))


def _unpack(wheel: Path, library: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            if not member.is_dir() and not LEFT_OUT.search(member.filename):
                archive.extract(member, library)


def _trim(library: Path) -> None:
    """Take out the lines that name parts that were left out."""
    for name, lines in NOT_NAMED.items():
        text, count = lines.subn("", (library / name).read_text(encoding="utf-8"))
        assert count, f"{name} is not as it was when the bundle was chosen"
        (library / name).write_text(text, encoding="utf-8")


def _install_files(stage: Path, version: str, epoch: int) -> None:
    for name, place, mode in FILES:
        _put(stage / place, (SYSTEMD / name).read_bytes(), mode)
    template = PROJECT / "table_app" / "lastcard.toml"
    for name in FONTS:
        # The very files of Debian's own package (tests compare them): half of our size saved.
        font = stage / LIBRARY / "table_app/display/fonts" / name
        font.unlink()
        font.symlink_to(f"../../../../../share/fonts/truetype/dejavu/{name}")
    _put(stage / SETTINGS, template.read_bytes(), 0o644)
    date = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    manual = (HERE / "lastcard.1").read_text(encoding="utf-8").replace("@VERSION@", version).replace("@DATE@", date)
    _put_compressed(stage / "usr/share/man/man1/lastcard.1.gz", manual)
    day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    maintainer = re.search(r"^Maintainer: (.*)$", (HERE / "control").read_text(encoding="utf-8"), re.MULTILINE)
    assert maintainer is not None
    changes = f"lastcard ({version}) stable; urgency=medium\n\n  * What changed: changes.md.gz beside this file.\n\n"
    _put_compressed(stage / "usr/share/doc/lastcard/changelog.gz", f"{changes} -- {maintainer[1]}  {day}\n")
    _put_compressed(
        stage / "usr/share/doc/lastcard/changes.md.gz", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    )


def _put(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def _put_compressed(path: Path, text: str) -> None:
    _put(path, gzip.compress(text.encode(), 9, mtime=0), 0o644)


def _control(stage: Path, version: str) -> None:
    size = sum(-(-path.stat().st_size // 1024) for path in stage.rglob("*") if path.is_file() and not path.is_symlink())
    control = (HERE / "control").read_text(encoding="utf-8")
    control = control.replace("@VERSION@", version).replace("@SIZE@", str(size))
    _put(stage / "DEBIAN/control", control.encode(), 0o644)
    _put(stage / "DEBIAN/conffiles", f"/{SETTINGS}\n".encode(), 0o644)
    for name in SCRIPTS:
        shutil.copy(HERE / name, stage / "DEBIAN" / name)
        (stage / "DEBIAN" / name).chmod(0o755)


def _settle(stage: Path, epoch: int) -> None:
    """Give every file and directory the same modes and times, whoever builds it and where."""
    for path in [stage, *sorted(stage.rglob("*"))]:
        if path.is_symlink():
            os.utime(path, (epoch, epoch), follow_symlinks=False)
            continue
        if path.is_dir():
            path.chmod(0o755)
        elif not path.stat().st_mode & 0o100 or (path.is_relative_to(stage / LIBRARY) and path.suffix == ".py"):
            path.chmod(0o644)
        os.utime(path, (epoch, epoch))


if __name__ == "__main__":
    main()
