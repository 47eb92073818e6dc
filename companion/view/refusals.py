"""What a refused wish is called: a kind for languages to word, the English sentence, the cell's reason."""

from dataclasses import dataclass

from companion.journal.journal import JournalFullError
from companion.rules import IllegalCrossError, RuleError
from companion.view.fields import WishError
from companion.view.own import why_view
from companion.view.values import WhyView


@dataclass(frozen=True, slots=True)
class RefusalView:
    """Why a wish was not carried out."""

    kind: str
    text: str
    why: WhyView | None = None
    number: int | None = None


def refusal_view(error: ValueError | JournalFullError) -> RefusalView:
    """The refusal behind an error of reading a wish or of playing it."""
    match error:
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
