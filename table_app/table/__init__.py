"""The live table: from what devices sense to rulings that are kept, shown and heard.

`open_table` opens what is kept in a directory, `Table` runs it: one `step` after the other.
"""

from __future__ import annotations

from table_app.play.state import TableState, new_table
from table_app.record.errors import CardTakenError, StoreDamagedError, StoreError, TableBusyError, TableError
from table_app.table.loop import Device, Judged, Observer, Table
from table_app.table.opening import OpenedTable, TableFiles, open_table

__all__ = [
    "CardTakenError",
    "Device",
    "Judged",
    "Observer",
    "OpenedTable",
    "StoreDamagedError",
    "StoreError",
    "Table",
    "TableBusyError",
    "TableError",
    "TableFiles",
    "TableState",
    "new_table",
    "open_table",
]
