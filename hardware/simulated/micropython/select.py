"""``select`` on the simulated board: waiting for input lets virtual time pass."""

import struct

import uselect
import world

POLLIN = uselect.POLLIN


class _Poll:
    def __init__(self):
        self._poll = uselect.poll()

    def register(self, stream, events):
        self._poll.register(stream, events)

    def poll(self, timeout_ms):
        ready = self._poll.poll(0)
        if ready or timeout_ms == 0:
            return ready
        if world.real_time:
            ready = self._poll.poll(timeout_ms)
            world.request(world.WAIT, b"\x00\x00\x00\x00")  # how the inputs stand
            return ready
        world.request(world.WAIT, struct.pack("<I", timeout_ms * 1000))
        return self._poll.poll(0)


def poll():
    return _Poll()
