"""The screen: draws a ``TableView`` with pygame and says what was pressed. It knows no rule and no game.

``view`` is plain data and needs no pygame; ``window`` and ``scene`` do, and are imported where they are used.
"""

from __future__ import annotations

from table_app.view.table_view import TableView

__all__ = ["TableView"]
