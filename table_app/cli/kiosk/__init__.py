"""``lastcard kiosk``: the table as a box, put together."""
