"""``lastcard cards``: its commands, and what they share."""
