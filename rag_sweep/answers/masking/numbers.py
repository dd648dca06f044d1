"""Check digits: of cards, of Russian taxpayers' numbers, of IBAN."""

from __future__ import annotations

import re


def signs(text: str) -> str:
    """Letters and digits only, in capitals."""
    return re.sub(r"[\W_]+", "", text).upper()


def is_card(text: str) -> bool:
    """13 to 19 digits that begin as a bank's card, with the check digit of ISO/IEC 7812-1, annex B."""
    numbers = [int(sign) for sign in reversed(signs(text))]
    doubled = [sum(divmod(2 * number, 10)) for number in numbers[1::2]]
    sound = 13 <= len(numbers) <= 19 and 2 <= numbers[-1] <= 6
    return sound and (sum(numbers[::2]) + sum(doubled)) % 10 == 0


def is_inn(text: str) -> bool:
    """Check digits of a Russian taxpayer's number of 10 or 12 digits."""
    own = [int(sign) for sign in text]
    weights = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    if len(own) == 10:
        return _check(own, weights) == own[9]
    first, second = (7, *weights), (3, 7, *weights)
    return len(own) == 12 and (_check(own, first), _check(own, second)) == (own[10], own[11])


def _check(own: list[int], weights: tuple[int, ...]) -> int:
    return sum(number * weight for number, weight in zip(own, weights, strict=False)) % 11 % 10


def is_iban(text: str) -> bool:
    """ISO 13616: 15 to 34 letters and digits whose remainder by 97 is 1."""
    own = signs(text)
    if not 15 <= len(own) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in own[4:] + own[:4])) % 97 == 1


def is_like_iban(text: str) -> bool:
    """An IBAN, or what is written like one, in capitals and mostly digits: one with a slip of the pen."""
    own = signs(text)
    shaped = text[:2].isupper() and sum(sign.isdigit() for sign in own) >= 10
    return is_iban(text) or (shaped and 15 <= len(own) <= 34)
