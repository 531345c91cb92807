"""The keys for a name of one's own, in words; what is typed is between the window and the fingers."""

from __future__ import annotations

from table_app.display.view import Control, Typing
from table_app.rules.messages import Translate, _


def name_typing(title: str, prefix: str, translate: Translate) -> Typing:
    """Keys for a name that is sent behind *prefix*."""
    return Typing(
        control=Control("own-name", translate(_("Another name")), "pick"),
        title=title,
        prefix=prefix,
        # The letters of a keyboard of the language, row by row.
        rows=tuple(translate(_("qwertyuiop asdfghjkl zxcvbnm'-")).split()),
        delete=translate(_("Delete")),
        done=translate(_("That is it")),
        back=translate(_("Back")),
    )
