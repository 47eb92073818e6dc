"""python -m tools.bench [PART...]: figures beside those of `boxlid bench`; they need what tests need."""

import argparse
import sys

from companion.commands.bench import figures_of, report

PARTS = {
    "attacks": figures_of("tools.bench.attacks"),
    "fuzz": figures_of("tools.bench.fuzz"),
    "web": figures_of("tools.bench.web"),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)} (all)")
    options = parser.parse_args()
    if unknown := [name for name in options.parts if name not in PARTS]:
        parser.error(f"a part is one of {', '.join(PARTS)}, got {unknown[0]!r}")
    report({name: PARTS[name] for name in options.parts or PARTS}, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
