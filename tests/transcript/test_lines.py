"""Bytes become lines whatever the bytes are, as they arrive and in bounded memory."""

from __future__ import annotations

import io
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_app.transcript import HeaderError, Judge, Judgement, Line, LineSplitter, read_lines
from table_app.transcript.lines import LINE_BYTES_MAXIMUM

TEXT = "players: Ann, Ben\n\ntable: deal 7\ntable: start r9\nAnn: r5\n"


def lines(data: bytes) -> list[Line]:
    return list(read_lines(io.BytesIO(data)))


def rulings(data: bytes) -> list[Judgement]:
    judge = Judge()
    answers = [judge.take(line) for line in lines(data)]
    return [answer for answer in answers if isinstance(answer, Judgement)]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending(ending: str) -> None:
    data = TEXT.replace("\n", ending).encode()
    assert [(each.line, each.ruling.is_ok) for each in rulings(data)] == [(3, True), (4, True), (5, True)]


def test_a_last_line_without_an_ending() -> None:
    assert [each.line for each in rulings(TEXT.rstrip().encode())] == [3, 4, 5]


def test_a_byte_order_mark_is_no_text() -> None:
    assert len(rulings(b"\xef\xbb\xbf" + TEXT.encode())) == 3


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"\n\n", b"bc"])), st.randoms(use_true_random=False))
def test_where_the_chunks_are_cut_does_not_matter(parts: list[bytes], chance: random.Random) -> None:
    data = b"".join(parts)
    splitter = LineSplitter()
    found: list[Line] = []
    place = 0
    while place < len(data):
        size = chance.randint(0, 3)
        found += splitter.feed(data[place : place + size])
        place += size
    found += splitter.finish()
    assert found == lines(data)
    unified = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode()
    assert [line.text for line in found] == unified.removesuffix("\n").split("\n") * bool(data)


def test_lines_come_as_soon_as_they_are_whole() -> None:
    splitter = LineSplitter()
    assert [line.text for line in splitter.feed(b"Ann: r5\nBen")] == ["Ann: r5"]
    assert [line.text for line in splitter.feed(b": r6\r")] == ["Ben: r6"]
    assert list(splitter.feed(b"\n")) == []


def test_another_encoding_is_said_with_its_place() -> None:
    (line,) = lines("Zoë: r5".encode("latin-1"))
    assert line.problem is not None
    assert "byte 3" in str(line.problem)
    assert "UTF-8" in str(line.problem)


def test_a_bad_byte_in_an_action_is_a_bad_line() -> None:
    ruled = rulings(TEXT.encode() + b"Ben: r\xff\n" + b"Ben: r6\n")
    assert [str(each.ruling.code) for each in ruled[-2:]] == ["bad-line", "None"]
    assert "UTF-8" in ruled[-2].words()


def test_a_bad_byte_in_the_header_is_a_bad_header() -> None:
    with pytest.raises(HeaderError) as caught:
        rulings(b"players: Ann, B\xffn\n")
    assert caught.value.line == 1


def test_sixteen_bit_text_is_refused_in_a_sentence() -> None:
    with pytest.raises(HeaderError) as caught:
        rulings(TEXT.encode("utf-16"))
    assert "UTF-8" in str(caught.value)


def test_a_nul_is_a_bad_line() -> None:
    ruled = rulings(TEXT.encode() + b"Ben: r6\0\n")
    assert str(ruled[-1].ruling.code) == "bad-line"


def test_a_line_of_ten_megabytes_in_bounded_memory() -> None:
    class Long(io.RawIOBase):
        """Ten megabytes of one line, then a good one; never held as a whole."""

        left = 10 * 1024 * 1024

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            if not self.left:
                return b""
            self.left -= min(size, self.left)
            return b"x" * size if self.left else b"\nBen: r6\n"

    tracemalloc.start()
    try:
        found = list(read_lines(Long()))  # type: ignore[arg-type]  # all that it needs is read
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [line.number for line in found] == [1, 2]
    assert found[0].problem is not None
    assert str(LINE_BYTES_MAXIMUM) in str(found[0].problem)
    assert len(found[0].text) < 200
    assert found[1].text == "Ben: r6"
    assert peak < 1_000_000


@given(st.binary(max_size=400))
def test_random_bytes_never_raise(data: bytes) -> None:
    try:
        rulings(data)
    except HeaderError as error:
        assert error.line >= 1
        assert str(error)
    for each in rulings(TEXT.encode() + data):
        assert each.words()
