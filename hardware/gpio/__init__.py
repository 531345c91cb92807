"""What is wired to pins of the header: buttons, buzzer, lamps, the screen's light. Signals and ports are above."""
