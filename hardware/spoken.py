"""What is said aloud, in the words that the catalogues have for it. Makes no sound."""

from companion.view.sayings import Saying
from companion.words import catalogues

PART = "voice."


def sentence(saying: Saying, language: str) -> str:
    """The saying in that language."""
    words = catalogues()[language]
    values: dict[str, object] = {
        "n": saying.number,
        "name": saying.names[0] if saying.names else "",
        "names": words.listed(saying.names),
    }
    if colour := saying.colour:
        values |= {
            "row": words.say(f"row_it.{colour}"),
            "cell": words.say(f"cell_it.{colour}", number=saying.number),
            "die": words.say(f"die_it.{colour}"),
        }
    return words.say(f"{PART}{saying.kind}", **values)
