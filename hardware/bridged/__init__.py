"""Reader, buttons, buzzer and lamps on a microcontroller. How the line works is ``firmware_bridge``'s."""
