"""Refusals on the way out: a status, a kind that every language words, and English words. Knows no pages."""

from dataclasses import asdict, dataclass

from companion.view import WhyView


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """What an error answer holds."""

    error: str
    text: str
    why: WhyView | None = None
    retry_after: int | None = None
    number: int | None = None  # for the words of this kind, such as seconds to wait

    def as_json(self) -> dict[str, object]:
        return asdict(self)


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """This request is not done: status, kind, words."""

    def __init__(
        self,
        status: int,
        kind: str,
        text: str,
        *,
        why: WhyView | None = None,
        retry_after: int | None = None,
        number: int | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.body = ErrorBody(kind, text, why, retry_after, number)
