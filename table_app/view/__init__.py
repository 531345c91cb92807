"""What there is to be seen, as data: from a table's state to titles, cards, controls and messages in words.

Nothing is drawn here; no pygame, and no rule is decided.
"""
