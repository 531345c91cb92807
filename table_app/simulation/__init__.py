"""Simulated people with simulated cards and a simulated reader at a real table, on virtual time.

For the demonstration and the tests; no window and no lines printed.
"""
