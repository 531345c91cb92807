"""The demonstration: simulated people with simulated cards at a real table.

Everything from the reader's driver to the screen is what a table in a classroom runs; only the people, the cards and
the chip are simulated. Nothing of the product imports this package but the command ``lastcard demo``.
"""
