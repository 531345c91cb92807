"""``time`` on the simulated board: virtual microseconds, or the real ones if the world runs in real time.

Ticks go round as on the RP2040, after 2 to the 30 microseconds (``MICROPY_PY_TIME_TICKS_PERIOD``), and do so soon after
each start: on a board that happens every 18 minutes.
"""

import struct

import utime
import world

_PERIOD = 1 << 30
_ROUND_AFTER_US = 3_000_000
_started_us = utime.ticks_us()


def ticks_add(ticks, delta):
    return (ticks + delta) % _PERIOD


def ticks_diff(end, start):
    return (end - start + _PERIOD // 2) % _PERIOD - _PERIOD // 2


def ticks_us():
    now_us = utime.ticks_diff(utime.ticks_us(), _started_us) if world.real_time else world.now_us
    return (now_us - _ROUND_AFTER_US) % _PERIOD


def sleep_us(duration):
    if world.real_time:
        utime.sleep_us(duration)
    else:
        world.request(world.WAIT, struct.pack("<I", duration))


def sleep_ms(duration):
    sleep_us(duration * 1000)


def sleep(duration):
    sleep_us(int(duration * 1000000))
