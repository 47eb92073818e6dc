"""From faces to an answer: what is certain, what is asked, and in which words."""

from dataclasses import replace
from itertools import pairwise

import pytest

from vision.colour import Assignment
from vision.judge import SURE, Face, apart, counted, of_one_size, problems_of
from vision.leaning import Lean
from vision.pips import FaceReading, edge_of, square_corners
from vision.reading import DieColour, ProblemKind
from vision.spots import NO_SPOTS, SpotReading
from vision.standing import Stand

RED, BLUE = DieColour.RED, DieColour.BLUE
PAIR = Assignment((RED, BLUE), (0.99, 0.99), True)


def chances(pips: int, chance: float = 0.995) -> tuple[float, ...]:
    """A network's chances of a number (0: no face)."""
    rest = (1 - chance) / 6
    values = [rest] * 7
    values[pips - 1 if pips else 6] = chance
    return tuple(values)


def face(pips: int = 4, x: float = 100.0, y: float = 100.0) -> Face:
    corners = square_corners(x, y, 40.0)
    network = FaceReading(chances(pips), corners)
    return Face(
        x,
        y,
        40.0,
        corners,
        0.95,
        chances(pips)[:6],
        0.99,
        network,
        SpotReading(pips, 0.9, 40.0),
    )


TWO = (face(4), face(2, 200.0))


def kinds(*faces: Face, colours: Assignment = PAIR, doubtful: tuple[Face, ...] = ()) -> list[ProblemKind]:
    return [p.kind for p in problems_of(faces, doubtful, colours, (RED, BLUE))]


def test_two_dice_on_which_all_agree_are_no_problem() -> None:
    assert kinds(*TWO) == []


def test_readings_that_differ_are_asked_about() -> None:
    torn = replace(TWO[0], spots=SpotReading(5, 0.9, 40.0))
    assert torn.confidence < SURE
    assert kinds(torn, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_plain_spots_outweigh_networks_that_waver_and_none_that_is_sure() -> None:
    """Of a die that light shines through, networks take pips of its other side for those of its face."""
    seen_through = replace(TWO[0], network=replace(TWO[0].network, chances=chances(5, 0.86)))
    seen_through = replace(seen_through, votes=chances(3, 0.88)[:6], spots=SpotReading(2, 0.97, 40.0))
    assert seen_through.pips == 2
    assert seen_through.confidence < SURE
    assert replace(TWO[0], spots=SpotReading(2, 0.97, 40.0)).pips == 4


def test_a_network_that_is_not_sure_is_asked_about() -> None:
    weak = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.8)))
    assert kinds(replace(weak, votes=chances(4, 0.45)[:6]), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(replace(weak, spots=SpotReading(4, 0.5, 40.0)), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(replace(weak, spots=SpotReading(4, 0.9, 9.0)), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_plain_spots_and_a_sure_finder_make_up_for_a_network_that_is_nearly_sure() -> None:
    weak = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.8)))
    assert kinds(weak, TWO[1]) == []
    torn = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.4)))
    assert kinds(torn, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_finder_that_denies_what_both_say_is_asked_about() -> None:
    denied = replace(TWO[0], votes=chances(6)[:6], spots=SpotReading(4, 0.3, 40.0))
    assert kinds(denied, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_without_spots_both_networks_must_be_very_sure() -> None:
    assert kinds(replace(TWO[0], spots=NO_SPOTS), TWO[1]) == []
    weak = replace(TWO[0], spots=NO_SPOTS, votes=chances(4, 0.9)[:6])
    assert kinds(weak, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_face_network_without_doubt_needs_a_finder_that_agrees_and_no_more() -> None:
    plain = replace(TWO[0], spots=NO_SPOTS, votes=chances(4, 0.93)[:6])
    assert kinds(plain, TWO[1]) == []
    veiled = replace(TWO[0], spots=SpotReading(4, 0.01, 40.0), votes=chances(4, 0.75)[:6])
    assert kinds(veiled, TWO[1]) == []
    less = replace(veiled, network=replace(TWO[0].network, chances=chances(4, 0.985)))
    assert kinds(less, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def looked_at(face: Face, pips: int, chance: float) -> Face:
    """The face after the larger network's look."""
    return replace(face, closer=FaceReading(chances(pips, chance), face.corners))


def test_only_a_face_that_leaves_a_doubt_gets_a_closer_look_and_only_one() -> None:
    assert not TWO[0].is_doubtful
    weak = replace(TWO[0], spots=NO_SPOTS, votes=chances(4, 0.6)[:6])
    assert weak.is_doubtful
    assert not looked_at(weak, 4, 0.5).is_doubtful


def test_a_closer_look_settles_what_spots_left_open() -> None:
    weak = replace(TWO[0], spots=NO_SPOTS, votes=chances(4, 0.6)[:6])
    assert kinds(weak, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(looked_at(weak, 4, 0.99), TWO[1]) == []
    assert kinds(looked_at(weak, 4, 0.6), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(looked_at(replace(weak, votes=chances(5)[:6]), 4, 0.99), TWO[1]) == [
        ProblemKind.PIPS_DOUBTFUL
    ]


def test_a_closer_look_and_spots_settle_what_the_first_network_left_open() -> None:
    unsure = replace(TWO[0].network, chances=chances(4, 0.6))
    weak = replace(TWO[0], network=unsure, spots=SpotReading(4, 0.4, 40.0), votes=chances(5)[:6])
    assert kinds(weak, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(looked_at(weak, 4, 0.95), TWO[1]) == []
    assert kinds(looked_at(replace(weak, spots=SpotReading(5, 0.4, 40.0)), 4, 0.95), TWO[1]) != []


def test_a_small_network_that_cannot_tell_does_not_outweigh_the_three_others() -> None:
    blank = replace(TWO[0].network, chances=chances(0, 0.9))
    glare = replace(TWO[0], network=blank, votes=chances(4, 0.8)[:6], spots=SpotReading(4, 0.3, 40.0))
    assert kinds(glare, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    assert kinds(looked_at(glare, 4, 0.95), TWO[1]) == []
    for doubt in (replace(glare, votes=chances(5)[:6]), replace(glare, spots=NO_SPOTS)):
        assert kinds(looked_at(doubt, 4, 0.95), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_what_the_small_network_reads_without_glare_stands_beside_the_larger_one() -> None:
    blank = replace(TWO[0].network, chances=chances(0, 0.9))
    glare = looked_at(replace(TWO[0], network=blank, votes=chances(4, 0.3)[:6], spots=NO_SPOTS), 4, 0.9)
    assert kinds(glare, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    without = replace(glare, dimmed=replace(blank, chances=chances(4, 0.9)))
    assert kinds(without, TWO[1]) == []
    assert kinds(looked_at(without, 4, 0.6), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
    other = replace(glare, dimmed=replace(blank, chances=chances(5, 0.9)))
    assert kinds(other, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_small_network_that_reads_another_number_with_or_without_glare_leaves_the_doubt() -> None:
    five = replace(TWO[0].network, chances=chances(5, 0.6))
    four = replace(five, chances=chances(4, 0.9))
    torn = looked_at(replace(TWO[0], votes=chances(4, 0.6)[:6], spots=NO_SPOTS), 4, 0.99)
    assert kinds(replace(torn, network=four, dimmed=four), TWO[1]) == []
    for network, dimmed in ((five, four), (four, five)):
        assert kinds(replace(torn, network=network, dimmed=dimmed), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_face_measured_small_is_as_large_as_the_other_dice_for_its_colour() -> None:
    """Glare hides its rim, where its colour is."""
    small = replace(TWO[0], stand=Stand(0.0, 0.8))
    assert edge_of(small.whole) == pytest.approx(40.0 / 0.8, rel=0.01)
    assert small.whole.mean(0) == pytest.approx(small.corners.mean(0))
    assert edge_of(TWO[0].whole) == pytest.approx(40.0, rel=0.01)


def test_a_faint_trace_of_other_spots_does_not_count_after_a_closer_look_and_a_plain_one_does() -> None:
    for trace, expected in ((0.03, []), (0.2, [ProblemKind.PIPS_DOUBTFUL])):
        six = replace(face(6), network=replace(face(6).network, chances=chances(6, 0.95)))
        six = replace(six, spots=SpotReading(1, trace, 35.0), votes=chances(6, 0.85)[:6])
        assert kinds(looked_at(six, 6, 0.99), TWO[1]) == expected


def test_a_closer_look_that_sees_another_number_raises_a_doubt() -> None:
    nearly = replace(
        TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.95)), votes=chances(4, 0.9)[:6]
    )
    nearly = replace(nearly, spots=SpotReading(4, 0.2, 40.0))
    assert kinds(nearly, TWO[1]) == []
    assert kinds(looked_at(nearly, 5, 0.95), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_one_that_shows_no_spots_is_asked_about_however_sure_the_networks_are() -> None:
    """A lamp mirrored in the face may leave the middle pip of a three or a five."""
    for spots in (NO_SPOTS, SpotReading(1, 0.05, 40.0)):
        one = replace(face(1), network=replace(face(1).network, chances=chances(1, 0.985)), spots=spots)
        for sure in (replace(one, votes=chances(1, 0.9)[:6]), replace(face(1), spots=spots)):
            assert kinds(sure, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
            assert kinds(looked_at(sure, 1, 0.999), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_one_needs_a_network_that_is_nearly_sure_or_a_closer_look_that_is() -> None:
    """All but the network take a two, whose face is seen half an edge off, for the one in its middle."""

    def nearly(pips: int) -> Face:
        return replace(face(pips), network=replace(TWO[0].network, chances=chances(pips, 0.93)))

    assert nearly(2).confidence >= SURE
    assert nearly(1).confidence < SURE
    assert looked_at(nearly(1), 1, 0.95).confidence >= SURE
    assert looked_at(nearly(1), 1, 0.86).confidence < SURE
    two = replace(nearly(1), network=replace(TWO[0].network, chances=chances(2, 0.6)))
    assert looked_at(two, 1, 0.95).confidence < SURE


def test_what_is_no_die_gets_no_closer_look() -> None:
    blank = replace(TWO[0], network=replace(TWO[0].network, chances=chances(0)), spots=NO_SPOTS)
    assert blank.is_doubtful
    assert not replace(blank, score=0.02).is_doubtful


def test_a_die_that_has_nothing_to_lean_on_is_believed_to_lean_less_soon() -> None:
    astray = replace(TWO[0], lean=Lean(0.8, (0.25, 0.0), 0.06), stand=Stand(0.25, 1.0))
    free = replace(astray, stand=Stand(0.25, 1.0, free=1.0))
    assert astray.stands_flat < 0.5 < free.stands_flat


@pytest.mark.parametrize("free", [0.0, 0.5, 1.0])
def test_the_farther_a_foot_is_off_and_the_more_sides_show_the_more_a_die_leans(free: float) -> None:
    def flat(stray: float, sides: float) -> float:
        return replace(TWO[0], lean=Lean(sides, (0.3, 0.0), 0.06), stand=Stand(stray, 1.0, free)).stands_flat

    strays, chances = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8), (0.01, 0.1, 0.5, 0.9, 0.98, 0.999, 0.9999)
    for less, more in pairwise(strays):
        assert all(flat(more, sides) <= flat(less, sides) for sides in chances)
    for less, more in pairwise(chances):
        assert all(flat(stray, more) <= flat(stray, less) for stray in strays)


def test_a_die_that_leans_by_both_signs_leans_whatever_is_near() -> None:
    """What it leans on may be something that nobody looks for: a coin, a finger."""
    assert replace(TWO[0], lean=Lean(0.98, (0.3, 0.0), 0.06), stand=Stand(0.3, 1.0, 1.0)).stands_flat < 0.5


def test_a_side_taken_for_a_top_is_not_believed_whatever_is_near() -> None:
    side = replace(TWO[0], stand=Stand(0.6, 0.95, free=1.0, against=0.3))
    assert side.stands_flat < 0.5
    assert replace(side, stand=Stand(0.1, 0.95, free=1.0)).stands_flat > 0.5


def test_a_face_nobody_can_read_is_asked_about_not_guessed() -> None:
    blown = replace(TWO[0], network=replace(TWO[0].network, chances=chances(0)), spots=NO_SPOTS)
    assert blown.confidence < 0.1
    assert kinds(blown, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


@pytest.mark.parametrize(
    "leaning",
    [
        replace(TWO[0], flat=0.2),
        replace(TWO[0], lean=Lean(0.3, (0.3, 0.0), 0.05), stand=Stand(0.25, 1.0)),
    ],
)
def test_a_die_that_leans_by_either_sign_is_to_be_laid_flat(leaning: Face) -> None:
    assert kinds(leaning, TWO[1]) == [ProblemKind.DIE_LEANS]


def test_a_narrow_face_that_may_lean_is_to_be_laid_flat_and_one_that_does_not_is_not() -> None:
    narrow = replace(TWO[0], stand=Stand(0.08, 0.88), lean=Lean(0.15, (0.3, 0.0), 0.09))
    assert kinds(narrow, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(narrow, lean=Lean(0.02, (0.3, 0.0), 0.09)), TWO[1]) == []
    assert kinds(replace(narrow, stand=Stand(0.08, 0.97)), TWO[1]) == []
    assert kinds(replace(narrow, stand=Stand(0.08, 0.88, free=1.0)), TWO[1]) == []  # what could it lean on?


def test_a_die_whose_sides_say_plainly_that_it_leans_is_believed_where_it_can_lean() -> None:
    leaning = replace(TWO[0], stand=Stand(0.04, 1.0), lean=Lean(0.98, (0.3, 0.0), 0.05))
    assert kinds(leaning, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(leaning, stand=Stand(0.04, 1.0, free=1.0)), TWO[1]) == []


def test_a_small_die_whose_foot_is_seen_badly_is_asked_about_unless_it_can_lean_on_nothing() -> None:
    unclear = replace(TWO[0], size=20.0, stand=Stand(0.3, 1.0), lean=Lean(0.03, (0.3, 0.0), 0.15))
    assert kinds(unclear, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(unclear, size=30.0), TWO[1]) == []
    assert kinds(replace(unclear, stand=Stand(0.3, 1.0, free=1.0)), TWO[1]) == []


def test_a_die_that_seems_larger_may_lie_on_another() -> None:
    assert kinds(replace(TWO[0], stand=Stand(0.0, 1.18)), TWO[1]) == [ProblemKind.DIE_STACKED]


def test_one_more_die_perhaps_is_a_problem() -> None:
    assert kinds(*TWO, doubtful=(face(1, 300.0),)) == [ProblemKind.DIE_EXTRA]


def test_colours_that_look_alike_are_asked_about_together() -> None:
    alike = Assignment((RED, BLUE), (0.6, 0.6), True)
    (problem,) = problems_of(TWO, (), alike, (RED, BLUE))
    assert problem.kind is ProblemKind.COLOUR_DOUBTFUL
    assert "red and blue" in problem.text


@pytest.mark.parametrize(
    ("seen", "kind", "words"),
    [
        (
            (RED, DieColour.GREEN),
            ProblemKind.DIE_NOT_IN_PLAY,
            "Take the green die out of the lid",
        ),
        ((RED, RED), ProblemKind.DIE_EXTRA, "one red die expected, two seen"),
        ((RED, BLUE, BLUE), ProblemKind.DIE_EXTRA, "one blue die expected, two seen"),
        ((RED,), ProblemKind.DIE_MISSING, "one blue die expected, none seen"),
    ],
)
def test_dice_that_are_not_the_expected_ones_are_named_first(
    seen: tuple[DieColour, ...], kind: ProblemKind, words: str
) -> None:
    colours = Assignment(seen, (0.99,) * len(seen), False)
    first = problems_of([face()] * len(seen), (), colours, (RED, BLUE))[0]
    assert first.kind is kind
    assert words in first.text


def test_every_sentence_begins_with_what_to_do() -> None:
    leaning = replace(TWO[0], flat=0.1)
    torn = replace(TWO[1], spots=SpotReading(5, 0.9, 40.0))
    verbs = ("Take", "Look", "Lay", "Tap", "Say")
    for colours in (PAIR, Assignment((RED, RED), (0.5, 0.5), False)):
        for problem in problems_of((leaning, torn), (), colours, (RED, BLUE)):
            assert problem.text.startswith(verbs)
            assert problem.text.endswith(".")


def test_a_face_on_another_dies_side_is_no_die() -> None:
    side = replace(face(3, 125.0), score=0.6)
    assert apart([TWO[0], side]) == [TWO[0]]
    beside = face(3, 141.0)
    assert len(apart([TWO[0], beside])) == 2


def test_the_top_and_the_side_of_one_die_are_one_die() -> None:
    """The side's face is more than a die's breadth off, but both have the same body behind them."""
    top = replace(face(4), lean=Lean(0.02, (0.5, 0.0), 0.05))
    side = replace(face(3, 146.0), score=0.6, lean=Lean(0.5, (-0.8, 0.0), 0.1))
    assert apart([side, top]) == [top]
    other = replace(side, lean=Lean(0.02, (0.5, 0.0), 0.05))
    assert len(apart([other, top])) == 2


def test_a_plain_die_measured_small_stays_and_a_small_print_goes() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    small = replace(face(3, 700.0), stand=Stand(0.0, 0.82))
    assert of_one_size([*dice, small], 4) == [*dice, small]
    faint = replace(small, score=0.6, spots=NO_SPOTS)
    assert of_one_size([*dice, faint], 4) == dice


def test_a_die_measured_small_stays_where_one_is_wanted() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    veiled = replace(face(3, 700.0), score=0.6, spots=NO_SPOTS, stand=Stand(0.0, 0.84))
    tiny = replace(veiled, stand=Stand(0.0, 0.7))
    assert of_one_size([*dice, veiled, tiny], 6) == [*dice, veiled]


def test_faces_of_another_size_are_no_dice_of_the_set() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    printed = replace(face(3, 700.0), stand=Stand(0.0, 1.4))
    assert of_one_size([*dice, printed], 5) == dice


def test_a_print_of_about_the_dices_size_goes_where_all_dice_are_there_without_it() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    without_sides = replace(face(3, 700.0), stand=Stand(0.3, 1.17), lean=Lean(0.2, (0.1, 0.0), 0.06))
    assert of_one_size([*dice, without_sides], 4) == dice
    assert of_one_size([*dice, without_sides], 5) == [*dice, without_sides]
    larger_die = replace(without_sides, stand=Stand(0.05, 1.17), lean=Lean(0.2, (0.3, 0.0), 0.06))
    from_above = replace(without_sides, stand=Stand(0.1, 1.17), lean=Lean(0.2, (0.0, 0.0), 0.06))
    may_lean = replace(without_sides, lean=Lean(0.8, (0.1, 0.0), 0.06))
    as_large = replace(without_sides, stand=Stand(0.3, 1.02))
    for other in (larger_die, from_above, may_lean, as_large):
        assert of_one_size([*dice, other], 4) == [*dice, other]


def test_a_doubtful_die_is_asked_for_where_one_is_wanted() -> None:
    faint = replace(face(3, 300.0), score=0.2, spots=NO_SPOTS)
    certain, perhaps = counted([*TWO, faint], 3)
    assert len(certain) == 3
    assert perhaps == []
    certain, perhaps = counted([*TWO, faint], 2)
    assert len(certain) == 2
    assert perhaps == [faint]


def test_a_die_more_than_wanted_is_counted() -> None:
    certain, _ = counted([*TWO, face(5, 300.0)], 2)
    assert len(certain) == 3


def test_the_answer_is_the_weakest_link() -> None:
    weak = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.93)))
    assert weak.confidence > 0.99  # spots and the finder say so too
    weak = replace(weak, spots=SpotReading(4, 0.5, 40.0))
    assert weak.confidence == pytest.approx(0.93)
    assert TWO[0].confidence > 0.99
