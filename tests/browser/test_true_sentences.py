"""What screens say is true for whoever reads it: corrections, pictures of older rolls, lost crosses."""

import pytest
from playwright.sync_api import expect

from companion.game import Crossed, DiceCorrected, Done, Rolled, SheetCorrected, Source
from companion.rules import Cell, Roll, Sheet
from companion.table.eyes import Eyes, EyesState
from tests.browser.conftest import ROLL, Phones, read_as
from tests.browser.sheet_page import sheet, tap
from tests.browser.test_long_names import lid

PICTURE = ".lid-picture"


@pytest.mark.parametrize("phones", [{"picture": lid}], indirect=True, ids=["lid"])
def test_the_display_shows_no_picture_of_other_dice_than_those_that_count(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    phones.stand.table.tell(read_as(ROLL))
    table = phones.page("/table", (1280, 720))
    expect(table.locator(PICTURE)).to_be_visible()
    phones.stand.play(DiceCorrected(0, Roll.parse("W3 W5 R2 Y5 G6 B1")))  # the picture says W4
    expect(table.locator(".white-sum")).to_contain_text("8")
    expect(table.locator(PICTURE)).to_have_count(0)
    for seat in (0, 1, 0):
        phones.stand.play(Done(seat))
    phones.stand.table.tell(Eyes(EyesState.READING))
    expect(table.locator(PICTURE)).to_be_visible()  # what lies there now
    phones.stand.table.tell(read_as(ROLL))
    phones.stand.play(Rolled(Roll.parse("W1 W1 R2 Y5 G6 B1"), Source.HAND))
    expect(table.locator(".white-sum")).to_contain_text("2")
    expect(table.locator(PICTURE)).to_have_count(0)


def test_a_cross_that_a_closed_row_took_away_blames_no_dice(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    phones.stand.play(Crossed(0, Cell.parse("R8"), 2))  # in advance
    anna = phones.sit(0)
    phones.stand.play(Crossed(1, Cell.parse("R12")))
    for seat in (0, 1):
        phones.stand.play(Done(seat))
    lost = anna.locator(".banner.warn")
    expect(lost).to_have_text("The red 8 no longer fits: choose again.")
    expect(anna.locator(".banners")).not_to_contain_text("corrected")


def test_a_cross_that_a_corrected_sheet_took_away_blames_no_dice(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    phones.stand.play(Crossed(1, Cell.parse("R7")))
    ben = phones.sit(1, locale="de-DE")
    phones.stand.play(SheetCorrected(0, 1, Sheet.parse("R9")))
    expect(ben.locator(".banner.warn")).to_have_text("Die rote 7 passt nicht mehr: Wähle neu.")
    expect(ben.locator(".banner.calm")).to_contain_text("Anna hat den Zettel von Ben berichtigt")


def test_a_note_of_lost_crosses_outlives_the_next_correction_and_is_true_once_it_was_answered(
    phones: Phones,
) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    phones.stand.play(Crossed(0, Cell.parse("R7")))
    anna = phones.sit(0)
    phones.stand.play(DiceCorrected(1, Roll.parse("W3 W5 R2 Y5 G6 B1")))
    note = anna.locator(".banner.warn")
    expect(note).to_have_text("The red 7 no longer fits: choose again.")
    phones.stand.play(DiceCorrected(1, Roll.parse("W3 W6 R2 Y5 G6 B1")))
    expect(anna.locator(".sum")).to_have_text("9")
    expect(note).to_have_text("The red 7 no longer fits: choose again.")
    tap(anna, "G9")
    expect(note).to_have_text("The red 7 no longer fitted and was not crossed.")
    phones.stand.play(DiceCorrected(1, Roll.parse("W3 W5 R2 Y5 G6 B1")))
    expect(note).to_have_text("The red 7 and the green 9 no longer fit: choose again.")
    phones.stand.play(DiceCorrected(1, Roll.parse(ROLL)))
    tap(anna, "R7")
    expect(note).to_have_text("The green 9 no longer fitted and was not crossed.")
