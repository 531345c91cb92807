#!/usr/bin/python3 -I
"""Starts Last Card from the package's own directory, which no other Python program sees."""

import sys

sys.path.insert(0, "/usr/lib/lastcard")

from table_app.cli import main

main()
