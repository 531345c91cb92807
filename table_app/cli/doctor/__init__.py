"""``lastcard doctor``: its command, and the examiners that it asks."""
