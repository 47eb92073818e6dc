"""How much decides a reading: modules, lines, networks and numbers of the read path.

    python tools/count_read_path.py [--each]

A named number is one in a constant of a module; a bare one stands inside a function and is neither a whole
number nor a half.
"""

import argparse
import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

VISION = Path(__file__).parents[1] / "vision"
PARTS = ("reader.py", "reading.py", "image", "networks", "place", "dice", "colour", "judgement", "memory")


def modules() -> Iterator[Path]:
    for part in PARTS:
        place = VISION / part
        found = [place] if place.is_file() else sorted(place.glob("*.py"))
        yield from (path for path in found if path.name != "__init__.py")


def counted(source: str) -> Counter[str]:
    tree = ast.parse(source)
    counts = Counter({"modules": 1, "lines": len(source.splitlines())})
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            counts["named numbers"] += sum(map(_is_number, ast.walk(node.value)))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        counts["bare numbers"] += sum(map(_is_bare, ast.walk(function)))
    return counts


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _is_bare(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and (2 * node.value) % 1 != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", action="store_true", help="each module by itself, too")
    each = {path: counted(path.read_text(encoding="utf-8")) for path in modules()}
    total = sum(each.values(), Counter({"networks": len(list((VISION / "weights").glob("*.onnx")))}))
    if parser.parse_args().each:
        for path, counts in each.items():
            print(path.relative_to(VISION), _told(counts), sep=": ")
    print(_told(total))


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())


if __name__ == "__main__":
    main()
