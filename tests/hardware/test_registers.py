"""The chip's registers are where the data sheet has them: its tables again, in another shape, read from the sheet.

Driver and simulated chip share these numbers, so that a wrong one would deceive both alike.
"""

from __future__ import annotations

import pytest

from hardware.rc522 import registers as reg

# MFRC522 data sheet rev. 3.9, table 20: sixteen registers a page, a dot for one that is reserved.
PAGES = """
. COMMAND COM_INTERRUPT_ENABLE DIV_INTERRUPT_ENABLE COM_INTERRUPTS DIV_INTERRUPTS ERROR STATUS_1
STATUS_2 FIFO_DATA FIFO_LEVEL WATER_LEVEL CONTROL BIT_FRAMING COLLISION .

. MODE TX_MODE RX_MODE TX_CONTROL TX_ASK TX_SELECT RX_SELECT
RX_THRESHOLD DEMODULATOR . . MIFARE_TX MIFARE_RX . SERIAL_SPEED

. CRC_RESULT_HIGH CRC_RESULT_LOW . MODULATION_WIDTH . RECEIVER_GAIN GS_N
CW_GS_P MODULATION_GS_P TIMER_MODE TIMER_PRESCALER TIMER_RELOAD_HIGH TIMER_RELOAD_LOW
TIMER_COUNTER_HIGH TIMER_COUNTER_LOW

. TEST_SELECT_1 TEST_SELECT_2 TEST_PIN_ENABLE TEST_PIN_VALUE TEST_BUS AUTO_TEST VERSION
ANALOG_TEST TEST_DAC_1 TEST_DAC_2 TEST_ADC . . . .
"""

# Section 9.3: what the bits of a register are called here, from bit 7 down; a dot for those that nobody asks for.
BITS = {
    "COM_INTERRUPTS": "SET_BITS INTERRUPT_TX INTERRUPT_RX INTERRUPT_IDLE"
    " INTERRUPT_HIGH_ALERT INTERRUPT_LOW_ALERT INTERRUPT_ERROR INTERRUPT_TIMER",
    "DIV_INTERRUPTS": ". . . INTERRUPT_MFIN . INTERRUPT_CRC . .",
    "ERROR": "WRITE_ERROR TEMPERATURE_ERROR . BUFFER_OVERFLOW COLLISION_ERROR CRC_ERROR PARITY_ERROR PROTOCOL_ERROR",
    "COMMAND": ". . RECEIVER_OFF POWER_DOWN . . . .",
    "STATUS_2": "TEMPERATURE_CLEAR . . . CRYPTO_ON . . .",
    "FIFO_LEVEL": "FLUSH . . . . . . .",
    "CONTROL": "TIMER_STOP TIMER_START . . . . . .",
    "BIT_FRAMING": "START_SEND . . . . . . .",
    "COLLISION": "VALUES_AFTER_COLLISION . COLLISION_POSITION_INVALID . . . . .",
    "MODE": ". . TX_WAIT_FIELD . . . . .",
    "TX_MODE": "CRC_ENABLE . . . INVERTED_MODULATION . . .",
    "RX_MODE": "CRC_ENABLE . . . RX_NO_ERROR RX_MULTIPLE . .",
    "TX_ASK": ". FORCE_FULL_MODULATION . . . . . .",
    "MIFARE_RX": ". . . PARITY_OFF . . . .",
    "TIMER_MODE": "TIMER_AUTO . . TIMER_AUTO_RESTART . . . .",
    "DEMODULATOR": ". . . PRESCALER_EVEN . . . .",
}
# What takes more than one bit, as the sheet writes it.
FIELDS = {
    "SPEED": "0111 0000",
    "ANTENNA_DRIVERS": "0000 0011",
    "TIMER_GATED": "0110 0000",
    "SELF_TEST": "0000 1111",
    "SELF_TEST_ON": "0000 1001",
}
# Section 10.3, table 149, by the command's code; a dot for a code that is reserved.
COMMANDS = """
IDLE MEMORY RANDOM_ID CALCULATE_CRC TRANSMIT . . NO_COMMAND_CHANGE RECEIVE . . .
TRANSCEIVE . MIFARE_AUTHENTICATE SOFT_RESET
"""
# The line "reset value" of each register, address 00h first.
AFTER_RESET = bytes.fromhex(
    "00 20 80 00 14 00 00 21 00 00 00 08 10 00 A0 00"
    "00 3F 00 00 80 00 10 84 84 4D 00 00 62 00 00 EB"
    "00 FF FF 88 26 87 48 88 20 20 00 00 00 00 00 00"
    "00 00 00 80 00 00 40 00 00 00 00 00 FF 00 03 00"
)


def test_every_register_has_the_address_of_the_sheet() -> None:
    assert len(PAGES.split()) == reg.REGISTER_COUNT == 4 * 16
    for address, name in enumerate(PAGES.split()):
        assert name == "." or getattr(reg, name) == address, name


@pytest.mark.parametrize("register", BITS)
def test_every_bit_is_where_the_sheet_has_it(register: str) -> None:
    names = BITS[register].split()
    assert len(names) == 8
    for place, name in enumerate(names):
        assert name == "." or getattr(reg, name) == 0x80 >> place, name


def test_what_takes_several_bits_has_all_of_them() -> None:
    for name, bits in FIELDS.items():
        assert getattr(reg, name) == int(bits.replace(" ", ""), 2), name


def test_every_command_has_the_code_of_the_sheet() -> None:
    assert len(COMMANDS.split()) == 16
    for code, name in enumerate(COMMANDS.split()):
        assert name == "." or getattr(reg, name) == code, name


def test_after_a_reset_every_register_holds_what_the_sheet_says() -> None:
    assert len(AFTER_RESET) == reg.REGISTER_COUNT
    assert bytes(reg.RESET_VALUES.get(address, 0) for address in range(reg.REGISTER_COUNT)) == AFTER_RESET


def test_a_bit_on_the_air_takes_128_cycles_of_the_carrier() -> None:
    assert reg.CARRIER_HZ == 13.56e6
    assert abs(reg.ELEMENTARY_TIME_NS - 128e9 / 13.56e6) < 1
    assert reg.FIFO_BYTES == 64
