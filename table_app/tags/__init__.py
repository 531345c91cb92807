"""Which tag is which card or button: the lists of them, enrolling, checking a pack, labels, import and export.

Nothing about a match may be known here.
"""
