"""A language is there as a whole: pages, voice, checks and settings know the same ones."""

from importlib.resources import files

from companion.config import Language, SpokenLanguage
from web.words import catalogues


def files_in(package: str, name: str = "languages") -> set[str]:
    folder = files(package).joinpath(name)
    return {file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json")}


def test_the_settings_name_every_language_of_the_pages() -> None:
    assert {str(language) for language in Language} == set(catalogues())


def test_the_voice_speaks_every_language_of_the_pages() -> None:
    assert files_in("hardware") == set(catalogues())
    assert {str(language) for language in SpokenLanguage} - {"table"} == set(catalogues())


def test_the_checks_speak_every_language_of_the_pages() -> None:
    for name in ("languages", "device_languages"):
        assert files_in("companion.checks", name) | {"en"} == set(catalogues())
