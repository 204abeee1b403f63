"""Text of a DOUBLE as ``Double.toString`` writes it up to Java 18, on which Flink 1.20 runs.

Digits are made one by one until what is left is within half the distance to the next DOUBLE (Steele
and White). Mirrors ``FloatingDecimal`` where it strays from the shortest digits: whole numbers are
cut by their size alone, and where an exponent is written the first digit never ends the search.
"""

from math import floor, frexp
from typing import Final

_WIDTH: Final = 53
"""Bits of a DOUBLE's mantissa."""
_LEAST_NORMAL: Final = -1022
_LARGEST_WHOLE: Final = 62
"""Binary exponents up to here fit a LONG."""
_LONG_BITS: Final = 64
_TOP: Final = 1 << (_LONG_BITS - 1)
_PLAIN_FROM, _PLAIN_BELOW = 1e-3, 1e7
"""In between no exponent is written."""
_PLAIN_POWERS: Final = range(-3, 8)
"""Powers of ten with a first digit that may end the search."""
_COUNTED_POWERS: Final = 27
"""Powers of five below this one have their bits counted, those above estimated."""


def java_double_text(number: float) -> str:
    """Write a DOUBLE as ``Double.toString`` does.

    >>> [java_double_text(x) for x in (1.0, 1e7, 0.001, 1.5e-5, 2e23, float("-inf"))]
    ['1.0', '1.0E7', '0.001', '1.5E-5', '1.9999999999999998E23', '-Infinity']
    """
    if number != number:  # noqa: PLR0124 - the one number that does not equal itself
        return "NaN"
    sign = "-" if str(number)[0] == "-" else ""
    size = abs(number)
    if _PLAIN_FROM <= size < _PLAIN_BELOW:
        # Here half the distance to the next DOUBLE ends in a digit that no shortest text has.
        return repr(number)
    if size in (0.0, float("inf")):
        return sign + ("Infinity" if size else "0.0")
    digits, point = _digits(size)
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def _digits(number: float) -> tuple[str, int]:
    """The digits of a positive number, and how many of them stand before the point."""
    half, exponent = frexp(number)
    mantissa, exponent = int(half * 2**_WIDTH), exponent - 1
    if exponent <= _LARGEST_WHOLE and number == floor(number):
        return _whole_digits(int(number), exponent)
    mantissa >>= (mantissa & -mantissa).bit_length() - 1
    # ``estimateDecExp``: the tangent of log10 at 1.5, which is never too low and at most one too
    # high; the same constants, or another guess would send the search elsewhere.
    guess = floor((2 * half - 1.5) * 0.289529654 + 0.176091259 + exponent * 0.301029995663981)
    return _searched_digits(mantissa, exponent, guess)


def _whole_digits(number: int, exponent: int) -> tuple[str, int]:
    """Of a whole number the digits that its mantissa can determine, the last rounded."""
    # ``insignificantDigitsForPow2``: the digits that the mantissa can no longer determine.
    spare = exponent - _WIDTH - 1
    cut = len(str(2**spare)) - 1 if spare > 1 else 0
    retained, remaining_value = divmod(number, 10**cut)
    digits = str(retained + (cut > 0 and 2 * remaining_value >= 10**cut))
    return digits.rstrip("0"), len(digits) + cut


def _searched_digits(mantissa: int, exponent: int, guess: int) -> tuple[str, int]:
    """Divide ``number / 10^guess`` out, digit by digit; ``guess`` may be one too high."""
    # The number is ``rest / divisor * 10^guess``, and ``margin`` half the distance to the next
    # DOUBLE; powers of two and five are counted apart and their common factors are cancelled, as
    # Java does, since how many bits are left decides between its two calculations.
    width = mantissa.bit_length()
    behind = max(0, width - exponent - 1)
    fives, tens = max(0, -guess), max(0, guess)
    twos, divisor_twos = fives + behind + exponent - width + 1, tens + behind
    known = _WIDTH - max(0, _LEAST_NORMAL - exponent)
    # A power of two is only half as far from the number below it.
    margin_twos = twos + width - 1 - known - (width == 1)
    shift = -min(twos, divisor_twos) if margin_twos >= min(twos, divisor_twos) else -margin_twos
    twos, divisor_twos, margin_twos = twos + shift, divisor_twos + shift, margin_twos + shift
    remaining_value, divisor = mantissa * 5**fives << twos, 5**tens << divisor_twos
    margin = 5**fives << margin_twos
    fits = (
        width + twos + _bits_of_five(fives) < _LONG_BITS
        and divisor_twos + 1 + _bits_of_five(tens + 1) < _LONG_BITS
    )
    return _divide(remaining_value, divisor, margin, guess, fits=fits)


def _bits_of_five(power: int) -> int:
    if power >= _COUNTED_POWERS:
        return 3 * power
    return (5**power).bit_length() if power else 0


def _divide(
    remainder: int, divisor: int, margin: int, guess: int, *, fits: bool
) -> tuple[str, int]:
    """The quotient's digits up to the first that is near enough; ``fits``: a LONG holds all."""
    digits, near, begun = "", False, False
    while not near:
        digit, remainder = divmod(remainder, divisor)
        remainder, margin = 10 * remainder, 10 * margin
        low, above = remainder < margin, remainder + margin
        if fits and margin < _TOP <= above:
            # Java's sum starts over below zero, and is not found to be above.
            above -= 2 * _TOP
        # The LONGs ask for more than ten times the divisor, the big numbers for as much at least.
        high = above > 10 * divisor or (above == 10 * divisor and not fits)
        if begun or digit or high:
            digits += str(digit)
        else:
            guess -= 1
        # With an exponent Java never stops at the first digit: 2e23 is 1.9999999999999998E23.
        near = (low or high) and (begun or guess in _PLAIN_POWERS)
        begun = True
    # Where both neighbours are near enough the closer one wins, and in the middle the even one.
    tie = 2 * remainder - 10 * divisor
    if not high or (low and (tie < 0 or (tie == 0 and int(digits[-1]) % 2 == 0))):
        return digits, guess + 1
    raised = str(int(digits) + 1)
    return raised[: len(digits)], guess + 1 + len(raised) - len(digits)
