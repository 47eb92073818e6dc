"""Which language a page is in: what the phone chose, or what its browser asks for."""

from companion.words import DEFAULT, Catalogue, catalogues


def choose(cookie: str | None, accepted: str | None, default: str) -> Catalogue:
    """What the phone chose, else the first language its browser accepts, else the table's."""
    known = catalogues()
    if cookie is not None and cookie in known:
        return known[cookie]
    for language in _accepted(accepted or ""):
        if language in known:
            return known[language]
    return known.get(default, known[DEFAULT])


def _accepted(header: str) -> list[str]:
    ranked = []
    for place, part in enumerate(header.split(",")):
        name, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        if weight > 0:
            ranked.append((-weight, place, name.partition("-")[0].strip().lower()))
    return [name for _, _, name in sorted(ranked)]
