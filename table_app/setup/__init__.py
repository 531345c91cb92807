"""How a table is set up: the steps of the first start, their dialogue, and the settings that come of them.

Used by window, terminal and box alike; no command may live here.
"""
