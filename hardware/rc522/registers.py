"""The MFRC522's registers, bits and commands by name, for the driver and for the simulated chip.

Numbers only, from the MFRC522 data sheet (rev. 3.9), section 9 "MFRC522 registers" and section 10
"MFRC522 command set"; how they are used belongs to ``rc522`` and ``simulated.chip``.
"""

from __future__ import annotations

from typing import Final

# Page 0: command and status
COMMAND: Final = 0x01
COM_INTERRUPT_ENABLE: Final = 0x02
DIV_INTERRUPT_ENABLE: Final = 0x03
COM_INTERRUPTS: Final = 0x04
DIV_INTERRUPTS: Final = 0x05
ERROR: Final = 0x06
STATUS_1: Final = 0x07
STATUS_2: Final = 0x08
FIFO_DATA: Final = 0x09
FIFO_LEVEL: Final = 0x0A
WATER_LEVEL: Final = 0x0B
CONTROL: Final = 0x0C
BIT_FRAMING: Final = 0x0D
COLLISION: Final = 0x0E
# Page 1: communication
MODE: Final = 0x11
TX_MODE: Final = 0x12
RX_MODE: Final = 0x13
TX_CONTROL: Final = 0x14
TX_ASK: Final = 0x15
TX_SELECT: Final = 0x16
RX_SELECT: Final = 0x17
RX_THRESHOLD: Final = 0x18
DEMODULATOR: Final = 0x19
MIFARE_TX: Final = 0x1C
MIFARE_RX: Final = 0x1D
SERIAL_SPEED: Final = 0x1F
# Page 2: configuration
CRC_RESULT_HIGH: Final = 0x21
CRC_RESULT_LOW: Final = 0x22
MODULATION_WIDTH: Final = 0x24
RECEIVER_GAIN: Final = 0x26
GS_N: Final = 0x27
CW_GS_P: Final = 0x28
MODULATION_GS_P: Final = 0x29
TIMER_MODE: Final = 0x2A
TIMER_PRESCALER: Final = 0x2B
TIMER_RELOAD_HIGH: Final = 0x2C
TIMER_RELOAD_LOW: Final = 0x2D
TIMER_COUNTER_HIGH: Final = 0x2E
TIMER_COUNTER_LOW: Final = 0x2F
# Page 3: test
TEST_SELECT_1: Final = 0x31
TEST_SELECT_2: Final = 0x32
TEST_PIN_ENABLE: Final = 0x33
TEST_PIN_VALUE: Final = 0x34
TEST_BUS: Final = 0x35
AUTO_TEST: Final = 0x36
VERSION: Final = 0x37
ANALOG_TEST: Final = 0x38
TEST_DAC_1: Final = 0x39
TEST_DAC_2: Final = 0x3A
TEST_ADC: Final = 0x3B

REGISTER_COUNT: Final = 0x40
FIFO_BYTES: Final = 64

# Commands (low nibble of COMMAND)
IDLE: Final = 0x0
MEMORY: Final = 0x1
RANDOM_ID: Final = 0x2
CALCULATE_CRC: Final = 0x3
TRANSMIT: Final = 0x4
NO_COMMAND_CHANGE: Final = 0x7
RECEIVE: Final = 0x8
TRANSCEIVE: Final = 0xC
MIFARE_AUTHENTICATE: Final = 0xE
SOFT_RESET: Final = 0xF

RECEIVER_OFF: Final = 0x20  # COMMAND
POWER_DOWN: Final = 0x10  # COMMAND

# COM_INTERRUPTS
SET_BITS: Final = 0x80
INTERRUPT_TX: Final = 0x40
INTERRUPT_RX: Final = 0x20
INTERRUPT_IDLE: Final = 0x10
INTERRUPT_HIGH_ALERT: Final = 0x08
INTERRUPT_LOW_ALERT: Final = 0x04
INTERRUPT_ERROR: Final = 0x02
INTERRUPT_TIMER: Final = 0x01
# DIV_INTERRUPTS
INTERRUPT_MFIN: Final = 0x10
INTERRUPT_CRC: Final = 0x04

# ERROR
WRITE_ERROR: Final = 0x80
TEMPERATURE_ERROR: Final = 0x40
BUFFER_OVERFLOW: Final = 0x10
COLLISION_ERROR: Final = 0x08
CRC_ERROR: Final = 0x04
PARITY_ERROR: Final = 0x02
PROTOCOL_ERROR: Final = 0x01

TEMPERATURE_CLEAR: Final = 0x80  # STATUS_2
CRYPTO_ON: Final = 0x08  # STATUS_2
FLUSH: Final = 0x80  # FIFO_LEVEL
TIMER_STOP: Final = 0x80  # CONTROL
TIMER_START: Final = 0x40  # CONTROL
START_SEND: Final = 0x80  # BIT_FRAMING
VALUES_AFTER_COLLISION: Final = 0x80  # COLLISION
COLLISION_POSITION_INVALID: Final = 0x20  # COLLISION
TX_WAIT_FIELD: Final = 0x20  # MODE
CRC_ENABLE: Final = 0x80  # TX_MODE and RX_MODE
SPEED: Final = 0x70  # TX_MODE and RX_MODE; 0 is 106 kbit/s
INVERTED_MODULATION: Final = 0x08  # TX_MODE
RX_NO_ERROR: Final = 0x08  # RX_MODE
RX_MULTIPLE: Final = 0x04  # RX_MODE
ANTENNA_DRIVERS: Final = 0x03  # TX_CONTROL
FORCE_FULL_MODULATION: Final = 0x40  # TX_ASK
PARITY_OFF: Final = 0x10  # MIFARE_RX
TIMER_GATED: Final = 0x60  # TIMER_MODE
TIMER_AUTO: Final = 0x80  # TIMER_MODE
TIMER_AUTO_RESTART: Final = 0x10  # TIMER_MODE
PRESCALER_EVEN: Final = 0x10  # DEMODULATOR, version 2.0 only
SELF_TEST: Final = 0x0F  # AUTO_TEST
SELF_TEST_ON: Final = 0x09  # AUTO_TEST

CARRIER_HZ: Final = 13_560_000
ELEMENTARY_TIME_NS: Final = 9440  # one bit at 106 kbit/s: 128 carrier cycles (ISO/IEC 14443-3)

# Values after a reset (section 9.2); every other register is 0.
RESET_VALUES: Final = {
    COMMAND: 0x20,
    COM_INTERRUPT_ENABLE: 0x80,
    COM_INTERRUPTS: 0x14,
    STATUS_1: 0x21,
    WATER_LEVEL: 0x08,
    CONTROL: 0x10,
    COLLISION: 0xA0,
    MODE: 0x3F,
    TX_CONTROL: 0x80,
    TX_SELECT: 0x10,
    RX_SELECT: 0x84,
    RX_THRESHOLD: 0x84,
    DEMODULATOR: 0x4D,
    MIFARE_TX: 0x62,
    SERIAL_SPEED: 0xEB,
    CRC_RESULT_HIGH: 0xFF,
    CRC_RESULT_LOW: 0xFF,
    0x23: 0x88,
    MODULATION_WIDTH: 0x26,
    0x25: 0x87,
    RECEIVER_GAIN: 0x48,
    GS_N: 0x88,
    CW_GS_P: 0x20,
    MODULATION_GS_P: 0x20,
    TEST_PIN_ENABLE: 0x80,
    AUTO_TEST: 0x40,
    0x3C: 0xFF,
    0x3E: 0x03,
}
