"""What a signal means at a table, and what is told of it: pure functions of what went before.

Nothing is opened, written, drawn or sounded here, and the time is an argument.
"""
