"""What stands beside the table in a demonstration: a log of what happened, mischief, and the hand of whoever sits in.

Makes plain data for the display, and turns the pane's own buttons into deeds. No table screen is made here
(`table_app.view.present`), and nothing is drawn.
"""

from __future__ import annotations

import re
from collections import deque

from hardware.signals import ButtonPressed, Signal, TagPlaced
from table_app.play.notices import Notice, NoticeKind
from table_app.rules import Match, Phase
from table_app.rules.legality import stacked_on
from table_app.rules.messages import Translate, _, untranslated
from table_app.simulation.evening import Evening
from table_app.simulation.manners import HOLD_MS, Gesture, Place
from table_app.sound import BuzzerCue
from table_app.table.loop import Judged, Observer
from table_app.view.cards import card_view
from table_app.view.present import notice_text
from table_app.view.table_view import Control, DemoPane, HandCard, Kind, LogRow

TIME = re.compile(r"^@\S+ ")
COPY = re.compile(r"#\d+")
"""Which of two equal cards it was is in the record; on the screen it would only be noise."""

ROWS_KEPT = 40
"""More rows than the tallest window shows."""

TAKE, LEAVE, HAND, MISCHIEF = "take", "leave", "hand", "mischief"
PAUSE = "pause"
STOP, SLOWER, FASTER = "quit", "slower", "faster"
"""What whoever runs the demonstration answers for; the table never hears of them."""

SPEEDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""The paces that can be chosen in the window, as factors."""

MISCHIEF_LABELS = {
    "wrong": (_("Lay a wrong card"), "wrong"),
    "forget": (_("Forget Uno"), "catch"),
    "bluff": (_("Bluff"), "bluff"),
    "two": (_("Two cards at once"), "several"),
    "unplug": (_("Unplug the reader"), "unplug"),
    "power": (_("Cut the power"), "power"),
}
CUE_WORDS = {
    BuzzerCue.TICK: _("tick"),
    BuzzerCue.ACCEPTED: _("one short beep"),
    BuzzerCue.REFUSED: _("two low beeps"),
    BuzzerCue.GUILTY: _("guilty"),
    BuzzerCue.MISSED_CALL: _("a long alarm"),
    BuzzerCue.SEVERAL: _("several cards"),
    BuzzerCue.ASKED: _("a question"),
    BuzzerCue.LAPSED: _("not answered"),
    BuzzerCue.LOST: _("reader lost"),
    BuzzerCue.ROUND_WON: _("round won"),
    BuzzerCue.MATCH_WON: _("match won"),
}


class Log(Observer):
    """Keeps the last things that happened, as rows for the pane."""

    def __init__(self, translate: Translate = untranslated) -> None:
        self._translate = translate
        self.rows: deque[LogRow] = deque(maxlen=ROWS_KEPT)
        self._match = None

    def judged(self, judged: Judged) -> None:
        uid = judged.signal.uid.hex(" ") if isinstance(judged.signal, TagPlaced) else ""
        if judged.cues.alarm is not None:
            kind = Kind.ALARM
        else:
            kind = Kind.ACCEPTED if judged.ruling.is_ok else Kind.REFUSED
        cue = self._translate(CUE_WORDS[judged.cues.sound])
        action = COPY.sub("", TIME.sub("", judged.public_line))
        self.rows.append(LogRow(uid, action, judged.cues.headline, judged.ruling.rule, cue, kind))

    def tell(self, text: str) -> None:
        """Something that happened to the table itself."""
        self.rows.append(LogRow("", "", text, "", "", Kind.ALARM))

    def noticed_at(self, evening: Evening, notice: Notice, signal: Signal | None) -> None:
        """An answer that is no ruling: a card shown, an unknown tag, a lost reader."""
        uid = signal.uid.hex(" ") if isinstance(signal, TagPlaced) else ""
        kind = Kind.NOTICE if notice.kind in (NoticeKind.SAID, NoticeKind.LAPSED) else Kind.REFUSED
        self.rows.append(LogRow(uid, "", notice_text(evening.match, notice, self._translate), "", "", kind))


class NoticeEar(Observer):
    """Passes notices on to the log, with the match that their words need."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.evening: Evening | None = None

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        if self.evening is not None:
            self._log.noticed_at(self.evening, notice, signal)


def other_speed(speed: float | None, word: str) -> float | None:
    """The next pace after *speed* (None: as fast as it goes), `SLOWER` or `FASTER`; the last one stays.

    >>> other_speed(1.0, "faster")
    2.0
    """
    if word == FASTER:
        return speed if speed is None else next((one for one in SPEEDS if one > speed), speed)
    return next((one for one in reversed(SPEEDS) if speed is None or one < speed), speed)


def make_pane(evening: Evening, log: Log, translate: Translate = untranslated, speed: float | None = 1.0) -> DemoPane:
    """The pane as it is now; *speed* is the pace."""
    names = evening.match.names
    human = evening.people.human
    if human is None:
        seats = tuple(
            Control(f"{TAKE}:{seat}", translate(_("Take the seat of {player}")).format(player=name), "seat")
            for seat, name in enumerate(names)
        )
        hand: tuple[HandCard, ...] = ()
        hand_title = ""
    else:
        label = translate(_("Leave the seat of {player}")).format(player=names[human])
        seats = (Control(LEAVE, label, "leave"),)
        hand = _hand(evening, human, translate)
        is_their_turn = may_lay(evening.match, human)
        title = _("Hand of {player}: press a card to lay it") if is_their_turn else _("Hand of {player}: wait")
        hand_title = translate(title).format(player=names[human])
    is_out = evening.scene.is_unplugged
    labels = MISCHIEF_LABELS | ({"unplug": (_("Plug the reader in"), "reader")} if is_out else {})
    mischief = tuple(
        Control(f"{MISCHIEF}:{word}", translate(label), symbol, emphasis=_is_asked(evening, word))
        for word, (label, symbol) in labels.items()
    )
    return DemoPane(
        title=translate(_("What happens")),
        legend=tuple(translate(word) for word in (_("tag"), _("action"), _("ruling and rule"), _("sound"))),
        rows=tuple(log.rows),
        hand_title=hand_title,
        hand=hand,
        seats_title=translate(_("Sit down yourself")),
        seats=seats,
        mischief_title=translate(_("Mischief: the reader is unplugged") if is_out else _("Mischief")),
        mischief=mischief,
        pace_title=_pace_title(speed, translate),
        pace=_pace(evening, speed, translate),
    )


def _pace_title(speed: float | None, translate: Translate) -> str:
    if speed is None:
        return translate(_("Pace: as fast as it goes"))
    return translate(_("Pace: {speed} × that of a real table")).format(speed=f"{speed:g}")


def _pace(evening: Evening, speed: float | None, translate: Translate) -> tuple[Control, ...]:
    is_paused = evening.table.state.pause is not None
    pause = (_("Go on"), "play") if is_paused else (_("Pause"), "keep")
    return (
        Control(SLOWER, translate(_("Slower")), "back", enabled=other_speed(speed, SLOWER) != speed, key="-"),
        Control(FASTER, translate(_("Faster")), "forward", enabled=other_speed(speed, FASTER) != speed, key="+"),
        Control(PAUSE, translate(pause[0]), pause[1], emphasis=is_paused),
        Control(STOP, translate(_("Stop")), "power", key="escape"),
    )


def _hand(evening: Evening, seat: int, translate: Translate) -> tuple[HandCard, ...]:
    cards = sorted(
        evening.scene.cards.hands[seat],
        key=lambda card: (card.face.colour is None, str(card.face.colour), card.face.rank, card.copy),
    )
    match = evening.match
    is_drawn = match.drawn is not None and match.turn == seat
    stacked = stacked_on(match)
    drawn = next(reversed(evening.scene.cards.hands[seat]), None) if is_drawn else None
    return tuple(
        HandCard(
            card_view(match.setup, card.face, translate),
            f"{HAND}:{card.code}" if may_lay(match, seat) else "",
            is_hinted=card == drawn or (match.turn == seat and card.face in stacked),
        )
        for card in cards
    )


def may_lay(match: Match, seat: int) -> bool:
    """Whether a card from this seat would be taken for this player's: the reader can't see whose hand lays it."""
    return match.phase is Phase.PLAY and match.turn == seat and match.question is None


def _is_asked(evening: Evening, word: str) -> bool:
    mischief = evening.people.mischief
    wanted = {
        "wrong": mischief.wrong_card,
        "forget": mischief.forget_uno,
        "bluff": mischief.bluff,
        "unplug": evening.scene.is_unplugged,
    }
    return wanted.get(word, False)


class PowerCutError(Exception):
    """Somebody pulled the plug: the process must end at once."""


def do(evening: Evening, signal: Signal) -> None:
    """Carry out a press: the pane's own buttons here, all others are the table's.

    :raises PowerCutError: if it is the power that is to be cut.
    """
    button = signal.button if isinstance(signal, ButtonPressed) else ""
    word, _colon, value = button.partition(":")
    if word == TAKE:
        evening.people.human = int(value)
    elif word == LEAVE:
        evening.people.human = None
    elif word == HAND:
        _lay_by_hand(evening, value)
    elif word == MISCHIEF:
        _make_mischief(evening, value)
    elif word == PAUSE and evening.table.state.pause is None:
        evening.scene.hold()
    else:
        evening.table.hear(signal)


def _lay_by_hand(evening: Evening, code: str) -> None:
    human = evening.people.human
    if human is None or not may_lay(evening.match, human):
        return
    held = [card for card in evening.scene.cards.hands[human] if card.code == code]
    if held:
        evening.people.tapping, evening.people.is_hurried = human, False
        evening.scene.interrupt(evening.now_ms, Gesture(0, Place((held[0],), HOLD_MS)))


def _make_mischief(evening: Evening, word: str) -> None:
    mischief = evening.people.mischief
    if word == "wrong":
        mischief.wrong_card = True
    elif word == "forget":
        mischief.forget_uno = True
    elif word == "bluff":
        mischief.bluff = True
    elif word == "two":
        evening.scene.two_cards(evening.now_ms)
    elif word == "unplug":
        if evening.scene.is_unplugged:
            evening.scene.plug_in(evening.now_ms)
        else:
            evening.scene.unplug(evening.now_ms)
    elif word == "power":
        raise PowerCutError
