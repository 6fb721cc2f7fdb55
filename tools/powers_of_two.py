#!/usr/bin/env python3
"""The table of powers of two of crates/laws: prints it, or checks the file.

    python tools/powers_of_two.py [--check]

Row k holds the bits of 2^(k/128), rounded, less k 2^45, and what is lost by the rounding, over the
power, with nine digits; computed with 60 digits.
"""

import re
import struct
import sys
from decimal import Decimal, getcontext
from pathlib import Path

ROWS = 128
FOLDER = Path(__file__).resolve().parent.parent / "crates/laws/src"

getcontext().prec = 60


def grouped(digits):
    """Three by three, from the point on."""
    return "_".join(digits[i : i + 3] for i in range(0, len(digits), 3))


def literal(x):
    """A number with nine digits as Rust writes it."""
    if x == 0:
        return "0.0"
    mantissa, exponent = f"{x:.8e}".split("e")
    whole, digits = mantissa.split(".")
    return f"{whole}.{grouped(digits.rstrip('0') or '0')}e{int(exponent)}"


def row(k):
    exact = (Decimal(2).ln() * k / ROWS).exp()
    power = float(exact)
    lost = (exact - Decimal(power)) / Decimal(power)
    bits = struct.unpack("<Q", struct.pack("<d", power))[0] - (k << 45)
    half = [f"{bits >> shift & 0xFFFF:04x}" for shift in (48, 32, 16, 0)]
    return f"    (0x{'_'.join(half)}, {literal(lost)}),"


def main():
    rows = [row(k) for k in range(ROWS)]
    if "--check" not in sys.argv[1:]:
        print("\n".join(rows))
        return
    [path] = FOLDER.rglob("powers.rs")
    held = re.findall(r"^    \(0x.*\),$", path.read_text(encoding="utf-8"), re.MULTILINE)
    differing = sum(a != b for a, b in zip(rows, held, strict=True))
    sys.exit(f"{differing} rows of {path} differ" if differing else 0)


if __name__ == "__main__":
    main()
