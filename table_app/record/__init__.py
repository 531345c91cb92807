"""What is kept of a table: the journal, its upkeep and copies, what is saved from a damaged one, and the archive.

No signal, no screen and nothing of a live table may be known here.
"""
