"""``time`` on the simulated board: virtual microseconds, or the real ones if the world runs in real time."""

import struct

import utime
import world

ticks_diff = utime.ticks_diff
ticks_add = utime.ticks_add


def ticks_us():
    return utime.ticks_us() if world.real_time else world.now_us


def ticks_ms():
    return ticks_us() // 1000


def sleep_us(duration):
    if world.real_time:
        utime.sleep_us(duration)
    else:
        world.request(world.WAIT, struct.pack("<I", duration))


def sleep_ms(duration):
    sleep_us(duration * 1000)


def sleep(duration):
    sleep_us(int(duration * 1000000))
