"""How a missing library is installed where this program runs: into its own environment, or by Debian's packages.

Words only; nothing is installed here.
"""

from __future__ import annotations

import sys


def how_to_install(library: str, debian: str) -> str:
    """The command that brings *library*, in an environment by pip, else as the package *debian*.

    What apt brings lies outside a virtual environment and is not seen by a program in one.
    """
    if sys.prefix != sys.base_prefix:
        return f"{sys.executable} -m pip install {library}"
    return f"sudo apt install {debian}"
