"""Changes single values in the text of a settings file; all else in it, comments too, stays as people wrote it.

Text in, text out. What a value may be is the business of ``table_app.settings``; whoever changes a text compares what
it says in the end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from table_app.toml_text import statements


def without(text: str, section: str, keys: Collection[str] | None) -> str:
    """*text* without these keys of a section; None: without any."""
    kept = [
        line
        for part in statements(text)
        if not (part.section == section and part.key and (keys is None or part.key in keys))
        for line in part.lines
    ]
    return "\n".join(kept) + "\n"


def with_values(text: str, section: str, values: Mapping[str, str]) -> str:
    """*text* with these values, in TOML, right below the head of a section, which is made if it is not there."""
    new = [f"{key} = {value}" for key, value in values.items()]
    lines: list[str] = []
    is_there = False
    for part in statements(text):
        lines += part.lines
        if part.is_head and part.section == section and not is_there:
            is_there = True
            lines += new
    if not is_there:
        return text.rstrip("\n") + f"\n\n[{section}]\n" + "\n".join(new) + "\n"
    return "\n".join(lines) + "\n"
