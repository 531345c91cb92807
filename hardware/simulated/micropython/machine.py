"""The board's ``machine`` module as far as the firmware uses it, on simulated pins."""

import os
import struct

import world

# As MicroPython numbers them on the RP2040.
PWRON_RESET = 1
WDT_RESET = 3


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        if not 0 <= number < 30:
            raise ValueError("invalid pin")
        self.number = number
        self.mode = mode
        if mode == Pin.OUT:
            world.set_output(number, value)

    def value(self, level=None):
        if level is None:
            return world.inputs >> self.number & 1
        world.set_output(self.number, level)
        return None


class SPI:
    def __init__(self, bus, baudrate, polarity, phase, sck, mosi, miso):
        # The RP2040's pins can only be had for one bus, in this order (data sheet, table 2).
        offset = 0 if bus == 0 else 8
        if sck.number % 16 not in (2 + offset, 6 + offset):
            raise ValueError("bad SCK pin")
        world.request(world.TRANSFER, struct.pack("<I", baudrate))

    def write_readinto(self, data, reply):
        reply[:] = world.request(world.TRANSFER, b"\x00\x00\x00\x00" + data)


class PWM:
    def __init__(self, pin):
        self._pin = pin.number
        self._frequency = 0

    def freq(self, frequency):
        if frequency < 8:
            raise ValueError("frequency too small")
        self._frequency = frequency

    def duty_u16(self, duty):
        world.request(world.TONE, struct.pack("<BIH", self._pin, self._frequency, duty))


class WDT:
    def __init__(self, timeout):
        if not 1 <= timeout <= 8388:
            raise ValueError("timeout exceeds 8388")
        world.tell(world.WATCHDOG, struct.pack("<I", timeout))

    def feed(self):
        world.tell(world.WATCHDOG)


def reset_cause():
    return int(os.getenv("LASTCARD_RESET_CAUSE"))


def reset():
    world.request(world.RESET)
    raise SystemExit
