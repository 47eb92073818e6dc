"""What all readings of one face come to: its number, and how sure."""

from dataclasses import replace

import pytest

from tests.faces import TWO, chances, face, kinds, looked_at
from vision.dice.face import SURE, Face
from vision.dice.pips import edge_of
from vision.dice.spots import NO_SPOTS, SpotReading
from vision.dice.standing import Stand
from vision.reading import ProblemKind


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


def test_plain_spots_and_a_sure_finder_make_up_for_a_network_that_is_nearly_sure() -> None:
    weak = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.85)))
    assert kinds(weak, TWO[1]) == []
    torn = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.4)))
    assert kinds(torn, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_finder_that_denies_what_both_say_is_asked_about() -> None:
    denied = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.93)), votes=chances(6)[:6])
    assert kinds(denied, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_without_spots_a_number_is_sure_only_after_a_closer_look() -> None:
    for spots in (NO_SPOTS, SpotReading(4, 0.1, 40.0)):
        bare = replace(TWO[0], spots=spots)
        assert kinds(bare, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]
        assert bare.is_doubtful
        assert kinds(looked_at(bare, 4, 0.99), TWO[1]) == []


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


def test_without_spots_a_finder_that_likely_saw_another_number_leaves_the_doubt() -> None:
    """A lamp in the face of a white six left traces of four pips, which the networks took for a four."""
    four = replace(TWO[0].network, chances=chances(4, 0.9))
    washed = replace(TWO[0], network=four, spots=NO_SPOTS, closer=four)
    assert replace(washed, votes=(0.0, 0.5, 0.0, 0.3, 0.0, 0.2)).confidence >= SURE
    assert replace(washed, votes=(0.0, 0.84, 0.0, 0.11, 0.0, 0.05)).confidence < SURE


def test_a_small_network_that_reads_another_number_leaves_the_doubt() -> None:
    torn = looked_at(replace(TWO[0], votes=chances(4, 0.6)[:6], spots=NO_SPOTS), 4, 0.99)
    assert kinds(torn, TWO[1]) == []
    five = replace(torn.network, chances=chances(5, 0.6))
    assert kinds(replace(torn, network=five), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_a_face_measured_small_is_as_large_as_the_other_dice_for_its_colour() -> None:
    """Glare hides its rim, where its colour is."""
    small = replace(TWO[0], stand=Stand(0.0, 0.8))
    assert edge_of(small.whole) == pytest.approx(40.0 / 0.8, rel=0.01)
    assert small.whole.mean(0) == pytest.approx(small.corners.mean(0))
    assert edge_of(TWO[0].whole) == pytest.approx(40.0, rel=0.01)


def test_a_face_smaller_than_the_others_is_asked_about_for_something_hides_a_part_of_it() -> None:
    assert kinds(replace(TWO[0], stand=Stand(0.0, 0.9)), TWO[1]) == []
    assert kinds(replace(TWO[0], stand=Stand(0.0, 0.8)), TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_without_spots_no_two_networks_that_are_half_sure_make_one_that_is_sure() -> None:
    bare = replace(TWO[0], spots=NO_SPOTS, votes=chances(4, 0.9)[:6])
    read = replace(bare.network, chances=chances(4, 0.97))
    plain = replace(bare, network=read, closer=replace(read, chances=chances(4, 0.9)))
    assert plain.confidence >= SURE
    half = replace(bare, network=read, closer=replace(read, chances=chances(4, 0.72)))
    assert half.confidence < SURE
    assert replace(plain, score=0.3).confidence < SURE  # nor is one where hardly a die is seen


def test_a_faint_trace_of_other_spots_does_not_count_after_a_closer_look_and_a_plain_one_does() -> None:
    for trace, expected in ((0.1, []), (0.2, [ProblemKind.PIPS_DOUBTFUL])):
        six = replace(face(6), network=replace(face(6).network, chances=chances(6, 0.95)))
        six = replace(six, spots=SpotReading(1, trace, 35.0), votes=chances(6, 0.85)[:6])
        assert kinds(looked_at(six, 6, 0.99), TWO[1]) == expected


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


def test_a_face_nobody_can_read_is_asked_about_not_guessed() -> None:
    blown = replace(TWO[0], network=replace(TWO[0].network, chances=chances(0)), spots=NO_SPOTS)
    assert blown.confidence < 0.1
    assert kinds(blown, TWO[1]) == [ProblemKind.PIPS_DOUBTFUL]


def test_spots_and_a_finder_that_agree_make_a_likely_number_sure() -> None:
    likely = replace(TWO[0], network=replace(TWO[0].network, chances=chances(4, 0.93)))
    assert likely.confidence > 0.99
    alone = replace(likely, votes=chances(4, 0.1)[:6])
    assert alone.confidence == pytest.approx(0.937)
    assert TWO[0].confidence > 0.99
