"""A tag list goes out and comes in again unchanged; a file with a mistake names the line, and changes nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_app.rules import DECKS, Deck
from table_app.tags.exchange import TagFileError, read_tags, tags_as_csv, tags_as_json
from table_app.tags.registry import EnrolledTag
from tests.table.rig import uid

TAGS = [
    EnrolledTag(uid(1), "classic", "r5", 2),
    EnrolledTag(uid(2), "classic", "w+4", 4, 'blue, "old"'),
    EnrolledTag(bytes.fromhex("9A123456"), "h2o", "wrain1", 1),
]
HEAD = "uid,deck,card,copy\n"
ONE = "04000000000001,classic,r5,1\n"


def find(name: str) -> Deck | None:
    return DECKS.get(name)


@pytest.mark.parametrize(("write", "name"), [(tags_as_csv, "csv"), (tags_as_json, "json")])
def test_a_list_comes_back_as_it_went_out(write: object, name: str) -> None:
    assert callable(write)
    found = read_tags(write(TAGS).encode(), name, find)
    assert [tag for _, tag in found] == TAGS
    assert [line for line, _ in found] == [2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "04:00:00:00:00:00:01,classic,R5#2,2\n",
        "\ufeffuid;deck;card;copy\r\n04-00-00-00-00-00-01;classic;r5;2\r\n\r\n",
        'card,UID,deck\n"r5#2","04 00 00 00 00 00 01",classic',
        "uid\tdeck\tcard\tcopy\r\n04 00 00 00 00 00 01\tclassic\tr5\t2\r\n",
        "uid,deck,card,copy\n0x04000000000001,classic,r5,2\n",
        "uid,deck,card,copy\n0X04 0x0 0x0 0x0 0x0 0x0 0x1,classic,r5,2\n",
    ],
)
def test_what_spreadsheets_make_of_it_is_read(text: str) -> None:
    for data in (text.encode(), *(text.removeprefix("\ufeff").encode(code) for code in ("utf-8-sig", "utf-16"))):
        assert [tag for _, tag in read_tags(data, "csv", find)] == [TAGS[0]]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("uid,deck,face\n" + ONE, 1, "no column 'face'"),
        ("uidd,deck,card\n" + ONE, 1, "did you mean uid?"),
        ("uid,deck\n", 1, "column card is missing"),
        ("uid,uid,deck,card\n", 1, "there twice"),
        (HEAD + ONE + "04000000000002,classic,zz,1\n", 3, "'zz' is not a card"),
        (HEAD + ONE + "04000000000002,classic,wrain1,1\n", 3, "has no wrain1"),
        (HEAD + ONE + "04000000000002,classic,r5,3\n", 3, "not a copy 3"),
        (HEAD + ONE + "04000000000002,classic,r5,two\n", 3, "copy must be a number"),
        (HEAD + ONE + "04000000000002,classic,r5#1,2\n", 3, "but copy says 2"),
        (HEAD + ONE + "\n04000000000001,classic,r6,1\n", 4, "stands in line 2 already"),
        (HEAD + ONE + "04000000000002,classic,r5,1\n", 3, "has a tag in line 2 already"),
        (HEAD + "0400,classic,r5,1\n", 2, "is no tag's number"),
        (HEAD + "084C4300,classic,r5,1\n", 2, "changes each time"),
        (HEAD + "0x880419ee,classic,r5,1\n", 2, "first half of a longer number"),
        (HEAD + "4a15c226b8080,classic,r5,1\n", 2, "leading zero"),
        (HEAD + "4.1E+12,classic,r5,1\n", 2, "is no tag's number"),
        (HEAD + "04000000000001,farm,r5,1\n", 2, "deck 'farm' is not known here"),
        (HEAD + "04000000000001,classic,r5\n", 2, "4 columns are due"),
        (HEAD + ONE + '"04000000000002,classic,r5,1\n', 3, "not CSV"),
        (HEAD, 1, "no tag in this file"),
        ("", 1, "no tag in this file"),
    ],
)
def test_a_mistake_names_its_line_and_the_reason(text: str, line: int, said: str) -> None:
    with pytest.raises(TagFileError) as caught:
        read_tags(text.encode(), "csv", find)
    assert caught.value.line == line and said in caught.value.reason


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("{}", 1, "begins with ["),
        ('[\n{"uid": "04 00 00 00 00 00 01",\n "deck": "classic" "card": "r5"}]', 3, "not JSON"),
        ('[{"uid": "04000000000001", "deck": "classic", "crad": "r5"}]', 1, "did you mean card?"),
        ('[\n\n{"uid": "04000000000001", "deck": "classic", "card": null}]', 3, "card must be a text"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('[{"uid": ' + "9" * 5_000 + "}]", 1, "far too long"),
        ("[1]", 1, "each tag is an object"),
        ('[{"uid": "04000000000001", "deck": "classic", "card": "r5"}\n', 2, "ends too soon"),
        ('[{"uid": "04000000000001", "deck": "classic", "card": "r5"} {}]', 1, "closing ] is missing"),
        ("[] x", 1, "behind the closing ]"),
        ("[]", 1, "no tag in this file"),
    ],
)
def test_a_mistake_in_json_names_its_line_too(text: str, line: int, said: str) -> None:
    with pytest.raises(TagFileError) as caught:
        read_tags(text.encode(), "json", find)
    assert caught.value.line == line and said in caught.value.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_json_is_read_as_editors_save_it(encoding: str) -> None:
    assert [tag for _, tag in read_tags(tags_as_json(TAGS).encode(encoding), "json", find)] == TAGS


def test_two_equal_tags_in_one_line_of_json_are_still_two() -> None:
    text = tags_as_json([TAGS[0], TAGS[0]]).replace("\n", "")
    with pytest.raises(TagFileError, match="stands in line 1 already"):
        read_tags(text.encode(), "json", find)


@pytest.mark.parametrize("name", ["csv", "json"])
def test_binary_junk_and_a_far_too_large_file_are_mistakes_in_words(name: str) -> None:
    for data in (random.Random(1).randbytes(10_000), b"\0" * 100, b"x" * 9_000_000, b"\n\n\xff"):
        with pytest.raises(TagFileError):
            read_tags(data, name, find)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.sampled_from(("csv", "json")))
def test_no_text_makes_anything_but_tags_or_a_mistake(text: str, name: str) -> None:
    for whole in (text, HEAD + text, '[{"uid": ' + text):
        try:
            read_tags(whole.encode("utf-8", "surrogatepass"), name, find)
        except TagFileError as error:
            assert error.line >= 1


@pytest.mark.parametrize("is_in_one_line", [False, True])
def test_a_json_list_that_is_cut_anywhere_ends_too_soon(is_in_one_line: bool) -> None:
    whole = tags_as_json(TAGS[:2]).rstrip()
    whole = whole.replace("\n", "") if is_in_one_line else whole
    for end in range(1, len(whole)):
        with pytest.raises(TagFileError) as caught:
            read_tags(whole[:end].encode(), "json", find)
        assert "ends too soon" in caught.value.reason, whole[:end]
        assert caught.value.line == whole[:end].count("\n") + 1


def test_what_is_no_json_in_a_whole_list_is_not_called_cut() -> None:
    for text in ("[ oops ]", '[{"uid": }]', '[{"uid": "04"} {"uid": "05"}'):
        with pytest.raises(TagFileError) as caught:
            read_tags(text.encode(), "json", find)
        assert "too soon" not in caught.value.reason, text
