"""The table as a box: what it needs to start by itself, be left alone, be looked after, and survive the plug.

Nothing about cards or rules may live here. Each part is a small machine that is told the time and answers; ``kiosk``
puts them round a live table, and the command ``lastcard kiosk`` runs that.
"""
