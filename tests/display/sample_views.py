"""Views as a table would send them, for tests and screenshots: every kind of moment, two to ten players."""

from __future__ import annotations

from dataclasses import replace

from table_app.tags.enrolling import MAY_BE_TWINS
from table_app.view.table_view import (
    Alarm,
    Banner,
    CardView,
    ColourView,
    Control,
    DemoPane,
    Direction,
    EnrolScreen,
    HandCard,
    Headline,
    Kind,
    Labelled,
    LogRow,
    Picker,
    Question,
    ScoresScreen,
    SeatView,
    Standing,
    StartScreen,
    TableView,
    TextScreen,
)

COLOURS = {
    "r": ColourView("red", "Red", "R"),
    "y": ColourView("yellow", "Yellow", "Y"),
    "g": ColourView("green", "Green", "G"),
    "b": ColourView("blue", "Blue", "B"),
}
RANKS = {"s": "skip", "r": "reverse"}
WILDS = {"w": ("wild", "Wild"), "w+4": ("+4", "Wild Draw Four")}
NAMES = ("Ana", "Ben", "Cleo", "Dani", "Eva", "Filip", "Gita", "Hana", "Ivo", "Jana")
LONG_NAMES = (
    "Bartholomew Featherstonehaugh-Cholmondeley",
    "Ana\x00\x07 Nováková",
    "Wolfeschlegelsteinhausenbergerdorff",
    "Îñţérñåţîöñåļîžåţîöñ Žluťoučký kůň",
    "x",
    "",
    "Ζωή Παπαδοπούλου",
    "Александра Константинопольская",
    "\U0001f389 Party \U0001f389",
    "\ud800half\u202eback",
)


def card(code: str) -> CardView:
    """The card with a face code such as ``r5`` or ``w+4``."""
    if code in WILDS:
        rank, name = WILDS[code]
        return CardView(code, rank, None, name)
    colour = COLOURS[code[0]]
    rank = RANKS.get(code[1:], code[1:])
    return CardView(code, rank, colour, f"{colour.name} {rank}")


def deck() -> tuple[CardView, ...]:
    """One of each face of the classic deck."""
    ranks = (*"0123456789", "s", "r", "+2")
    return (*(card(letter + rank) for letter in COLOURS for rank in ranks), card("w"), card("w+4"))


DRAW = Control("draw", "Draw", "draw", key="d")
UNDO = Control("undo", "Undo", "undo", key="z")
MENU = Control("menu", "Menu", "menu", key="m")
ALLOW = Control("allow", "Allow anyway", "allow", key="a")
KEEP = Control("keep", "Keep", "keep", key="k")
CHALLENGE = Control("challenge", "Challenge", "challenge", emphasis=True, key="c")
COLOUR_CONTROLS = tuple(
    Control(f"colour:{colour.key}", colour.name, colour.key, colour.key, key=letter)
    for letter, colour in COLOURS.items()
)


def uno(seat: int, name: str) -> Control:
    return Control(f"uno:{seat}", f"Uno! {name}", "uno", emphasis=True, key="u")


POINTS = ("120", "35", "0", "260", "499", "88", "7", "310", "42", "150")


def seats(count: int, turn: int = 0, names: tuple[str, ...] = NAMES) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            name=names[index],
            cards=(7, 1, 5, 12, 3, 0, 9, 2, 23, 4)[index],
            cards_word="cards",
            score=POINTS[index],
            score_words=f"{POINTS[index]} points",
            colour_index=index,
            is_turn=index == turn,
            button=f"seat:{index}",
        )
        for index in range(count)
    )


def play(count: int = 4, turn: int = 1) -> TableView:
    """An ordinary moment: a card was laid, somebody is to play."""
    return TableView(
        top_card=card("r7"),
        colour=COLOURS["r"],
        direction=Direction.CLOCKWISE,
        direction_name="clockwise",
        seats=seats(count, turn),
        headline=Headline("Ana laid the red 7.", Kind.ACCEPTED, "match"),
        prompt=f"{NAMES[turn]}: lay a card or draw",
        controls=(DRAW, UNDO, MENU),
        draw_pile="61 left",
        target="to 500",
    )


def refused() -> TableView:
    return replace(
        play(4, 1),
        headline=Headline(
            "Refused: the blue 3 is neither red nor a 7. Take it back, Ben; it is still your turn.",
            Kind.REFUSED,
            "match",
        ),
        controls=(DRAW, ALLOW, UNDO, MENU),
    )


def uno_due() -> TableView:
    base = play(4, 2)
    people = list(base.seats)
    people[1] = replace(people[1], cards=1, owes="")
    return replace(
        base,
        top_card=card("y+2"),
        colour=COLOURS["y"],
        direction=Direction.ANTICLOCKWISE,
        direction_name="anticlockwise",
        seats=(
            people[0],
            people[1],
            replace(people[2], owes="owes 2"),
            replace(people[3], call="Uno!", cards=1),
        ),
        headline=Headline(
            "Ben laid the yellow Draw Two: Cleo draws two and loses the turn.", Kind.ACCEPTED, "draw-two"
        ),
        prompt="Ben has one card left: call now! Cleo draws 2",
        controls=(uno(1, "Ben"), Control("catch:1", "Catch Ben", "catch", key="t"), DRAW, UNDO, MENU),
    )


def missed_call() -> TableView:
    base = uno_due()
    people = list(base.seats)
    people[1] = replace(people[1], owes="owes 2")
    return replace(
        base,
        seats=tuple(people),
        headline=Headline("Ben did not call in time and draws two.", Kind.ALARM, "uno-call"),
        alarm=Alarm("Ben did not call Uno!", "2 cards"),
        controls=(DRAW, Control("called:1", "Ben did call", "called"), UNDO, MENU),
    )


def name_colour() -> TableView:
    return replace(
        play(4, 3),
        top_card=card("w"),
        colour=None,
        headline=Headline("Dani laid a Wild.", Kind.ACCEPTED, "wild"),
        prompt="Dani: name a colour",
        controls=(*COLOUR_CONTROLS, UNDO, MENU),
    )


def challenge() -> TableView:
    base = play(5, 4)
    people = list(base.seats)
    people[4] = replace(people[4], owes="owes 4")
    return replace(
        base,
        top_card=card("w+4"),
        colour=COLOURS["b"],
        seats=tuple(people),
        headline=Headline("Dani laid a Wild Draw Four and named blue.", Kind.ACCEPTED, "wild-draw-four"),
        prompt="Eva: draw four, or challenge",
        controls=(CHALLENGE, Control("draw", "Draw 4", "draw", key="d"), UNDO, MENU),
    )


def question() -> TableView:
    return replace(
        play(4, 0),
        top_card=card("g9"),
        colour=COLOURS["g"],
        headline=Headline("Green 9 was laid, and the pile had been touched.", Kind.NOTICE),
        question=Question(
            "Did Ana draw and keep her card, and Ben lay the green 9?",
            (Control("yes", "Yes", "yes", emphasis=True, key="y"), Control("no", "No", "no", key="n")),
        ),
        controls=(UNDO, MENU),
    )


def choose_seat() -> TableView:
    base = play(6, 2)
    people = tuple(
        replace(seat, is_choice=index != 2, button=f"swap:{index}" if index != 2 else "")
        for index, seat in enumerate(base.seats)
    )
    return replace(
        base,
        top_card=card("b7"),
        colour=COLOURS["b"],
        seats=(*people[:5], replace(people[5], gone="left", is_choice=False, button="")),
        headline=Headline("Cleo laid the blue 7.", Kind.ACCEPTED, "seven-o"),
        prompt="Cleo: swap hands with whom? Touch the seat.",
        controls=(UNDO, MENU),
    )


def reader_lost() -> TableView:
    return replace(
        play(3, 0),
        top_card=card("gr"),
        colour=COLOURS["g"],
        direction=Direction.ANTICLOCKWISE,
        direction_name="anticlockwise",
        headline=Headline("The tag 04 A1 5C 22 is no card of this deck. Nothing changed.", Kind.NOTICE, "cards"),
        banners=(
            Banner("The reader does not answer. Check its plug; until then pick cards on the screen."),
            Banner("Scores are not kept: the disk is full.", Kind.NOTICE),
        ),
        picker=picker(),
    )


def picker() -> Picker:
    return Picker(Control("pick", "Pick a card", "pick", key="p"), "Which card was laid?", deck(), "Back", "Wild")


def two_players() -> TableView:
    return replace(
        play(2, 0),
        top_card=card("bs"),
        colour=COLOURS["b"],
        headline=Headline("Ana laid the blue Skip: Ben loses the turn.", Kind.ACCEPTED, "skip"),
    )


def crowded(names: tuple[str, ...] = NAMES) -> TableView:
    """Ten players and the widest bar of controls."""
    base = play(10, 6)
    return replace(
        base,
        top_card=card("g6"),
        colour=COLOURS["g"],
        seats=seats(10, 6, names),
        headline=Headline(
            "Refused: it is Gita's turn, not Ben's. Ben takes the yellow Reverse back into the hand.",
            Kind.REFUSED,
            "turn",
        ),
        controls=(*COLOUR_CONTROLS, ALLOW, UNDO, MENU),
    )


def long_words() -> TableView:
    base = crowded(LONG_NAMES)
    return replace(
        base,
        seats=tuple(
            replace(seat, owes="must still draw 12 cards", note="dealer of this round", score="1,234,567 points")
            for seat in base.seats
        ),
        headline=Headline(
            "Donaudampfschifffahrtsgesellschaftskapitän " * 12, Kind.REFUSED, "a-very-long-rule-name" * 4
        ),
        prompt="Touch " * 60,
        direction_name="gegen den Uhrzeigersinn",
        draw_pile="noch 108 Karten im Stapel",
        target="bis 10,000 Punkte",
        controls=tuple(
            replace(control, label=control.label + " oder doch lieber etwas anderes") for control in base.controls
        ),
    )


def first_card() -> TableView:
    return TableView(
        seats=seats(4, 0),
        headline=Headline("Seven cards each have been dealt.", Kind.NOTICE, "deal"),
        prompt="Turn the first card and tap it on the pad",
        controls=(MENU,),
        draw_pile="80 left",
        target="to 500",
    )


def start() -> TableView:
    return TableView(
        screen=StartScreen(
            "Last Card",
            "A referee for your card table. Tap each card on the pad as you lay it.",
            ("Classic rules, first to 500.", "4 players: Ana, Ben, Cleo, Dani. Cleo deals."),
            card("y9"),
        ),
        controls=(
            Control("yes", "Start", "play", emphasis=True, key="return"),
            Control("menu", "Rules", "book", key="r"),
        ),
    )


def resume() -> TableView:
    return TableView(
        screen=StartScreen(
            "Go on?",
            "The power went in round 3. Ben had the turn; this card lay on top:",
            ("Ana 120 · Ben 35 · Cleo 0 · Dani 260",),
            card("b+2"),
        ),
        controls=(
            Control("yes", "Go on", "play", emphasis=True, key="y"),
            Control("no", "New match", "no", key="n"),
        ),
    )


def scores(count: int = 4) -> TableView:
    points = sorted((507, 310, 120, 35, 260, 88, 42, 7, 0, 150)[:count], reverse=True)
    return TableView(
        screen=ScoresScreen(
            "Ana wins the match",
            tuple(
                Standing(f"{index + 1}.", NAMES[index], str(total), index, index == 0)
                for index, total in enumerate(points)
            ),
            (
                Labelled("The whole match as text", "~/.local/share/lastcard/2026-03-01-match-12.table"),
                Labelled(
                    "Judge every ruling again",
                    "lastcard judge ~/.local/share/lastcard/2026-03-01-match-12.table",
                ),
            ),
        ),
        controls=(
            Control("yes", "New match", "play", emphasis=True, key="n"),
            Control("quit", "Quit", "power", key="q"),
        ),
    )


def rulebook() -> TableView:
    paragraphs: list[str] = []
    for chapter in ("A turn", "Wild Draw Four", "The last card"):
        paragraphs.append(f"# {chapter}")
        paragraphs += [
            "A coloured card may be played if it has the colour in force, or the number or symbol on top.",
            "Instead of playing, a player draws one card, also when holding a card that could be played.",
            "One card a turn, never two; players never show or trade cards unless a rule says so.",
        ]
    return TableView(
        screen=TextScreen("The rules", tuple(paragraphs), "page", "Back", "Next"),
        controls=(Control("menu", "Close", "no", emphasis=True, key="escape"),),
    )


LOG = (
    LogRow("04 6B 1F 90 2A 81", "Ana lays green 5", "stands; Ben's turn", "match", "one short", Kind.ACCEPTED),
    LogRow(
        "04 11 C2 07 5E 80",
        "Ben lays blue 3",
        "refused: neither green nor a 5",
        "match",
        "two low",
        Kind.REFUSED,
    ),
    LogRow("button draw", "Ben draws", "one card; play it or keep it", "draw", "one short", Kind.ACCEPTED),
    LogRow(
        "04 99 A0 31 7C 80",
        "Ben lays green 7",
        "stands; Cleo's turn",
        "drawn-card",
        "one short",
        Kind.ACCEPTED,
    ),
    LogRow(
        "04 0C 55 E1 3B 81",
        "Cleo lays Wild Draw Four",
        "stands until challenged",
        "wild-draw-four",
        "one short",
    ),
    LogRow(
        "button challenge",
        "Dani challenges",
        "guilty: Cleo held a green card",
        "challenge",
        "fanfare",
        Kind.NOTICE,
    ),
    LogRow("", "Ana says nothing", "not called: two cards", "uno-call", "long alarm", Kind.ALARM),
)


def demo_pane(hand: int = 7) -> DemoPane:
    codes = ("r7", "b3", "gs", "w", "y+2", "r1", "g9", "w+4", "b0", "yr", "g4", "r6", "b9", "y8", "g+2", "r2")
    return DemoPane(
        title="What the table senses, and what it says",
        legend=("Signal", "Action", "Ruling", "Cue"),
        rows=LOG,
        hand_title="Ana's hand: click a card to lay it" if hand else "",
        hand=tuple(
            HandCard(card(code), f"lay:{index}", is_hinted=index in (0, 3)) for index, code in enumerate(codes[:hand])
        ),
        seats_title="",
        seats=(Control("leave-seat", "Leave the seat", "leave"), Control("pause", "Pause", "menu"))
        if hand
        else tuple(Control(f"take-seat:{i}", f"{NAMES[i]}'s seat", "seat") for i in range(4)),
        mischief_title="Mischief",
        mischief=(
            Control("mischief:wrong-card", "Wrong card", "wrong"),
            Control("mischief:forget", "Forget Uno", "catch"),
            Control("mischief:bluff", "Bluff", "bluff"),
            Control("mischief:several", "Two at once", "several"),
            Control("mischief:unplug", "Unplug reader", "unplug"),
            Control("mischief:power", "Cut the power", "power"),
        ),
    )


def with_demo(view: TableView, hand: int = 7) -> TableView:
    return replace(view, demo=demo_pane(hand))


def demo() -> TableView:
    return with_demo(refused())


def enrol() -> TableView:
    return TableView(
        banners=(Banner("The reader does not answer. Look at its wires."),),
        controls=(
            Control("back", "Back", "back", key="b"),
            Control("skip", "Leave out", "forward", key="return"),
            Control("quit", "Stop", "power", key="q"),
        ),
        screen=EnrolScreen(
            title="Lay the yellow Draw Two (2 of 2) on the pad",
            count="40 of 108",
            done=40,
            total=108,
            card=card("y+2"),
            headline=Headline("yellow Draw Two (1 of 2): 04 A1 5C 22 6B 80 80", Kind.ACCEPTED),
            missing="Without a tag: yellow Draw Two, green 0, green 1 (2), green 2 (2), green 3 (2) and 29 other faces",
        ),
    )


def enrol_question() -> TableView:
    view = enrol()
    yes = Control("yes", "Move it", "yes", emphasis=True, key="y")
    said = f"This tag is the green 3 (1 of 2) already. {MAY_BE_TWINS} Move it to the yellow Draw Two (2 of 2)?"
    return replace(view, banners=(), question=Question(said, (yes, Control("no", "Leave it", "no", key="n"))))


def enrol_refused() -> TableView:
    """The longest that is said of a sticker."""
    view = enrol()
    assert isinstance(view.screen, EnrolScreen)
    said = (
        "yellow Draw Two (1 of 2): 04 A1 5C 22 6B 80 80; not written. It asks for a password before it is written. "
        "Its number alone is enough for a card here; to have it written, remove the password with the app that set it."
    )
    return replace(view, screen=replace(view.screen, headline=Headline(said, Kind.REFUSED)))


def enrolled() -> TableView:
    done = Control("quit", "Done", "yes", emphasis=True, key="return")
    return TableView(
        controls=(Control("back", "Back", "back", key="b"), done),
        screen=EnrolScreen("Every card has its tag", "108 of 108", 108, 108),
    )


def every_view() -> dict[str, TableView]:
    """All of them, by name."""
    named = {
        "play": play(),
        "refused": refused(),
        "uno-due": uno_due(),
        "missed-call": missed_call(),
        "name-colour": name_colour(),
        "challenge": challenge(),
        "question": question(),
        "choose-seat": choose_seat(),
        "reader-lost": reader_lost(),
        "two-players": two_players(),
        "crowded": crowded(),
        "long-words": long_words(),
        "first-card": first_card(),
        "start": start(),
        "resume": resume(),
        "scores": scores(),
        "scores-ten": scores(10),
        "rulebook": rulebook(),
        "enrol": enrol(),
        "enrol-question": enrol_question(),
        "enrol-refused": enrol_refused(),
        "enrolled": enrolled(),
        "empty": TableView(),
    }
    named |= {f"play-{count}": play(count, count - 1) for count in range(2, 11)}
    return named
