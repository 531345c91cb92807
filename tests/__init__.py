"""The tests; they mirror the packages, and nothing imports them."""
