"""What the people of a simulated match do beside playing: now and then, by seed, and counted by kind.

They stop the table, say it anew, shuffle too early, put a new sticker on a card; what they really did is written to the
truth here. Whether the referee took it rightly is `audit`'s to say.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping

from hardware.signals import Signal
from hardware.simulated import Ntag213
from table_app.play.form_steps import FORMS
from table_app.play.modes import Mode, mode_of
from table_app.play.state import Pause, TableState
from table_app.rules import Card, HouseRule, Match, Phase, Ruling
from table_app.rules import actions as act
from table_app.rules.ruling import Code
from table_app.simulation.manners import HOLD_MS, Deed, Gesture, Pick, Place, Press
from table_app.simulation.mending import Wish, typed
from table_app.simulation.scene import Scene
from table_app.table.loop import Judged

RATE = 0.05
"""How often after a ruling somebody does one of these."""

ALLOWS = 0.3
"""How often a card that was refused is allowed after all."""

PAUSE_MS = 15_000
"""Longer than any grace time, so that a clock that went on would be seen."""

ALLOWED_CODES = (Code.NO_MATCH, Code.NOT_YOUR_TURN, Code.DRAWN_CARD, Code.WILD_DRAW_FOUR)

STICKERS_LOST = 3
"""How often a sticker is replaced in a match."""

KINDS = frozenset(
    {
        "allowed anyway",
        "bell",
        "called by command tag",
        "called, and the fine lifted",
        "caught by command tag",
        "dead sticker named by hand",
        "drawn for the deal",
        "drew in silence",
        "given to another seat",
        "joined",
        "laid out of turn",
        "laid what does not fit",
        "left between rounds",
        "left in mid-round",
        "lifted too soon",
        "lost tag replaced",
        "number of cards put right",
        "paused",
        "pile shuffled early",
        "points typed",
        "power cut",
        "reader unplugged",
        "resync of a card laid unseen",
        "resync where nothing was wrong",
        "shouted a call",
        "something put right",
        "tapped twice",
        "time limit",
        "two cards at once",
        "undone",
    }
)
"""Every kind that a long enough simulation must have had."""


class Deeds:
    """The deeds of one match.

    *wanted* are the names of `_deeds` that these people do at all.
    """

    def __init__(self, scene: Scene, chance: random.Random, wanted: frozenset[str], has_pad: bool) -> None:
        self.done: Counter[str] = Counter()
        self._scene = scene
        self._chance = chance
        self._wanted = wanted
        self._has_pad = has_pad
        self._unseen: Card | None = None
        self._layer: int | None = None
        self._stuck: Card | None = None
        self._was_paused = False
        self._has_rung = False
        self._deeds: Mapping[str, Callable[[TableState, int], bool]] = {
            "pause": self._pause,
            "resync": self._resync,
            "unseen": self._lay_unseen,
            "undo": self._undo,
            "bell": self._bell,
            "shuffle": self._shuffle_early,
            "sticker": self._new_sticker,
            "set": self._put_right,
            "leave": self._leave,
        }

    # -- when --------------------------------------------------------------------------------------------------

    def consider(self, state: TableState, now_ms: int) -> None:
        """Nobody is in the middle of anything: perhaps somebody does something else than to play."""
        is_busy = state.question is not None or state.form is not None or state.pause is not None
        if is_busy or self._scene.people.mending.presses or self._chance.random() >= RATE:
            return
        names = [name for name in self._deeds if name in self._wanted]
        self._chance.shuffle(names)
        names.sort(key=lambda name: name != "sticker")  # a dead sticker is what everybody is tired of
        for name in names:
            if self._deeds[name](state, now_ms):
                return

    def stepped(self, state: TableState) -> None:
        """What no ruling tells of."""
        is_paused = state.pause is Pause.ASKED
        self.done["paused"] += is_paused and not self._was_paused
        self._was_paused = is_paused

    # -- standing still, and saying it anew ----------------------------------------------------------------------

    def _pause(self, state: TableState, now_ms: int) -> bool:
        if state.match.phase is Phase.OVER:
            return False
        self._scene.interrupt(now_ms, Gesture(200, Press("pause")), Gesture(PAUSE_MS, Press("yes")))
        return True

    def _resync(self, state: TableState, now_ms: int) -> bool:
        """Everything is as the screen says, and is said again; or the pause is ended by saying it."""
        match = state.match
        if mode_of(state) is not Mode.TURN or match.turn is None:
            return False
        begin = self._chance.choice((("form:resync",), ("pause", "no")))
        self._push((*begin, *self._how_it_stands(match, match.turn)))
        return True

    def _how_it_stands(self, match: Match, turn: int) -> tuple[str | Deed, ...]:
        """The steps of a resync, by what really lies there."""
        top = self._scene.cards.discard_pile[-1]
        is_picked = not self._has_pad or top in self._scene.dead or self._chance.random() < 0.5
        card = Pick(top) if is_picked or self._unseen is not None else Place((top,), HOLD_MS)
        colour = (f"colour:{match.colour}",) if top.face.is_wild else ()
        is_said = turn == match.turn and top.face is match.top
        return (card,) if is_said else (f"seat:{turn}", card, *colour)

    def _lay_unseen(self, state: TableState, now_ms: int) -> bool:
        """A card is laid and nobody says so; then somebody sees that the screen is behind."""
        match = state.match
        seat = match.turn
        is_quiet = mode_of(state) is Mode.TURN and match.window is None
        if not is_quiet or seat is None or len(self._scene.cards.hands[seat]) < 4:
            return False
        hand = self._scene.cards.hands[seat]
        moves_hands = ("7", "0") if HouseRule.SEVEN_O in match.setup.house else ()
        top = match.top
        fits = [
            card
            for card in hand
            if card.face.is_number
            and card.face.rank not in moves_hands
            and (card.face.colour is match.colour or (top is not None and card.face.rank == top.rank))
        ]
        if not fits or match.hands[seat].size != len(hand):
            return False
        self._unseen, self._layer = fits[0], seat
        self._scene.cards.lay(fits[0])
        self._scene.cards.missing += 1
        self._push(("form:resync", *self._how_it_stands(match, match.after(seat))), is_mending=True)
        return True

    def _undo(self, state: TableState, now_ms: int) -> bool:
        ruling, match = state.ruling, state.match
        is_fresh = ruling is not None and ruling.is_ok and isinstance(ruling.action, act.Lay | act.Draw | act.Keep)
        if not is_fresh or match.phase is not Phase.PLAY or match.window is not None:
            return False
        self._push(("undo",))
        return True

    # -- the end, and who is there -------------------------------------------------------------------------------

    def _bell(self, state: TableState, now_ms: int) -> bool:
        match = state.match
        is_time = match.phase in (Phase.PLAY, Phase.OUT) or (not match.setup.refereed and match.round_number > 0)
        if self._has_rung or not is_time:
            return False
        self._has_rung = True
        self._push(("bell",))
        return True

    def _leave(self, state: TableState, now_ms: int) -> bool:
        match = state.match
        if mode_of(state) is not Mode.TURN or match.players_left < 4 or not FORMS["leave"].fits(match):
            return False
        seat = self._chance.choice([seat for seat, plays in enumerate(match.playing) if plays])
        self._push(("form:leave", f"seat:{seat}"))
        return True

    # -- piles and stickers --------------------------------------------------------------------------------------

    def _shuffle_early(self, state: TableState, now_ms: int) -> bool:
        """The discard pile goes into the draw pile though cards are left there, and nobody tells the table."""
        cards = self._scene.cards
        if mode_of(state) is not Mode.TURN or len(cards.discard_pile) < 5 or not self._has_pad:
            return False
        cards.shuffle_in_silence()
        self.done["pile shuffled early"] += 1
        return True

    def _new_sticker(self, state: TableState, now_ms: int) -> bool:
        """The card whose sticker is dead gets a new one, and the table is told; later that one is lost, too."""
        scene = self._scene
        if mode_of(state) is not Mode.TURN or not self._has_pad:
            return False
        if not scene.dead and self._stuck is not None and self.done["lost tag replaced"] < STICKERS_LOST:
            # The new one again, or that of a card like it: nobody glues well here.
            like = [card for card in scene.tags if card.face is self._stuck.face]
            scene.dead.add(self._chance.choice(like))
            return True
        # Nobody puts a new sticker on a card of the discard pile.
        lost = [card for card in scene.dead if card not in scene.cards.discard_pile]
        if not lost:
            return False
        card = self._stuck = min(lost, key=lambda dead: dead.code)
        self._scene.stick_anew(card, Ntag213(b"\x04" + self._chance.randbytes(5) + b"\x81"))
        self._push(("form:tag", Pick(card), Place((card,), HOLD_MS, is_new=True)))
        return True

    def _put_right(self, state: TableState, now_ms: int) -> bool:
        """Something is said anew as it stands: a score, a direction, a colour, the turn."""
        match = state.match
        seat = self._chance.choice([seat for seat, plays in enumerate(match.playing) if plays])
        groups: list[tuple[str, ...]] = []
        if FORMS["score"].fits(match):
            groups.append(("form:score", f"seat:{seat}", "yes"))
        if FORMS["round-score"].fits(match) and state.round_points:
            points = self._chance.choice(state.round_points)
            number = () if points is state.round_points[-1] else typed(points.number)
            groups.append(("form:round-score", *number, f"seat:{seat}", "yes"))
        if mode_of(state) is Mode.TURN:
            way = "clockwise" if match.direction > 0 else "anticlockwise"
            groups += [
                (f"direction:{way}",),
                (f"colour:{match.colour}",)
                if match.top is not None and match.top.is_wild
                else ("form:colour", f"colour:{match.colour}"),
                ("form:turn", f"seat:{match.turn}"),
            ]
        if not groups:
            return False
        self._push(self._chance.choice(groups))
        return True

    def _push(self, group: tuple[str | Deed, ...], *, is_mending: bool = False) -> None:
        self._scene.people.mending.presses.append(group if is_mending else Wish(group))

    def take_up_unseen(self, action: act.Action) -> None:
        """The referee hears of the card laid unseen: it is laid now, as far as anybody can tell."""
        if self._unseen is None or not isinstance(action, act.Lay) or action.card.face is not self._unseen.face:
            return
        cards = self._scene.cards
        if cards.discard_pile[-1] == self._unseen and self._layer is not None:
            cards.discard_pile.pop()
            cards.hands[self._layer].append(self._unseen)
            cards.missing -= 1
            self._scene.people.tapping = None

    # -- what came of it -----------------------------------------------------------------------------------------

    def judged(self, judged: Judged, before: Match, *, by_tag: bool) -> None:
        """A ruling: count what it was, and let a refused card stand now and then."""
        ruling, signal = judged.ruling, judged.signal
        action = ruling.action
        if ruling.is_ok:
            kind = self._kind(ruling, before, signal, by_tag)
            self.done[kind] += bool(kind)
        if isinstance(action, act.Lay) and ruling.code in ALLOWED_CODES and "allow" in self._wanted:
            is_its_own = self._scene.cards.holder(self._scene.real(action.card)) == before.seat_of(action.player)
            if is_its_own and self._chance.random() < ALLOWS:
                self._push(("allow",))

    def _kind(self, ruling: Ruling, before: Match, signal: Signal | None, by_tag: bool) -> str:
        words = {happening.word for happening in ruling.effects}
        match ruling.action:
            case act.Allow():
                return "allowed anyway"
            case act.Lay(card=card) if self._unseen is not None and card.face is self._unseen.face:
                self._unseen = None
                return "resync of a card laid unseen"
            case act.SetTop():
                is_unseen, self._unseen = self._unseen is not None, None
                if is_unseen and self._layer is not None:
                    held = len(self._scene.cards.hands[self._layer])
                    self._push(("form:count", f"seat:{self._layer}", *typed(held)), is_mending=True)
                return "resync of a card laid unseen" if is_unseen else "resync where nothing was wrong"
            case act.SetHand():
                return "number of cards put right"
            case act.SetScore() | act.SetColour() | act.SetDirection():
                return "something put right"
            case act.LastRound():
                return "time limit" if signal is None else "bell"
            case act.DrawForDeal() if "dealer" in words:
                return "drawn for the deal"
            case act.Leaves():
                return "left between rounds" if before.phase is Phase.BETWEEN else "left in mid-round"
            case act.Joins():
                return "joined"
            case act.Called():
                return "called, and the fine lifted"
            case act.Points():
                return "points typed"
            case act.Catch() if by_tag:
                return "caught by command tag"
            case act.Call() if by_tag:
                return "called by command tag"
            case act.Undo():
                return "undone"
        return ""
