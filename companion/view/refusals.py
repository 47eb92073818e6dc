"""What a refused wish is called: a kind for languages to word, the English sentence, the cell's reason."""

from dataclasses import dataclass

from boxlid.fields import FieldsError
from companion.journal.journal import JournalFullError
from companion.rules import IllegalCrossError, RuleError
from companion.view.own import why_view
from companion.view.values import WhyView
from companion.view.wishes import WishError
from companion.words import english


@dataclass(frozen=True, slots=True)
class RefusalView:
    """Why a wish was not carried out."""

    kind: str
    text: str
    why: WhyView | None = None
    number: int | None = None


def refusal_view(error: FieldsError | ValueError | JournalFullError) -> RefusalView:
    """The refusal behind an error of reading a wish or of playing it."""
    match error:
        case FieldsError():
            return RefusalView("bad-request", english(error))
        case WishError():
            return RefusalView(error.kind, str(error))
        case IllegalCrossError():
            return RefusalView(error.kind, str(error), why_view(error.refusal))
        case JournalFullError():
            return RefusalView("disk-full", str(error))
        case RuleError():
            return RefusalView(error.kind, str(error), number=error.number)
        case _:  # NotationError
            return RefusalView("rule", str(error))
