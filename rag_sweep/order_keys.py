"""The order of ties as one integer: score first, then the lower item.

A score rounded to 9 decimals is a whole number of 1e-9. Put in front of the reversed item number in one
int64, sorting the integers is sorting by score descending and item ascending, and both can be read back.
Integers partition and sort several times faster than rows of (score, item).
"""

from __future__ import annotations

import numpy as np

from rag_sweep.arrays import FloatArray, IndexArray, IntArray
from rag_sweep.ranking import DECIMALS, EMPTY, Rankings, rounded, top

SCALE = 10.0**DECIMALS
ABSENT = np.iinfo(np.int64).min
"""The key of what is not to be returned: below every score."""


def best(scores: FloatArray, depth: int, bound: float, positive: bool = False) -> Rankings:
    """The best `depth` items of every row: what `top` gives for the rounded scores, only faster.

    Parameters
    ----------
    scores : float64, shape (queries, items)
        Not rounded yet; **overwritten**.
    depth
        At least 1.
    bound
        No score is larger in size; decides whether scores and items fit into 63 bits.
    positive
        Leave out scores that are 0 or below after rounding.
    """
    bits = scores.shape[1].bit_length()
    if not fits(bound, bits):
        whole = rounded(scores)
        return top(np.where(whole > 0, whole, -np.inf) if positive else whole, depth)
    keys = order_keys(scores, bits)
    depth = min(depth, scores.shape[1])
    if depth == 0:
        return Rankings(np.empty((len(keys), 0), np.int32), np.empty((len(keys), 0)))
    if depth < keys.shape[1]:
        keys.partition(keys.shape[1] - depth, axis=1)
    found = keys[:, keys.shape[1] - depth :].copy()
    found.sort(axis=1)
    if positive:
        found[found < 1 << bits] = ABSENT
    return from_keys(found[:, ::-1], bits)


def fits(bound: float, bits: int) -> bool:
    """True if scores up to `bound` and items of `bits` bits have room in one key, exactly.

    Above 2**53 a float64 has no 9 decimals any more.
    """
    return bool(bound * SCALE < min(2.0**53, 2.0 ** (62 - bits)))


def order_keys(scores: FloatArray, bits: int) -> IntArray:
    """Keys of all items of every row, int64, same shape; `scores` are overwritten."""
    scores *= SCALE
    np.rint(scores, out=scores)
    keys: IntArray = scores.astype(np.int64)
    keys <<= bits
    keys |= np.arange((1 << bits) - 1, (1 << bits) - 1 - keys.shape[1], -1, dtype=np.int64)
    return keys


def from_keys(keys: IntArray, bits: int) -> Rankings:
    """Items and rounded scores of keys, shape (queries, depth), best first."""
    mask = (1 << bits) - 1
    absent = keys == ABSENT
    items = (mask - (keys & mask)).astype(np.int32)
    scores = (keys >> bits) / SCALE
    items[absent] = EMPTY
    scores[absent] = -np.inf
    return Rankings(items, scores)


def whole(scores: FloatArray) -> FloatArray:
    """Scores in units of 1e-9, rounded: equal where scores are a tie."""
    units: FloatArray = scores * SCALE
    return np.rint(units, out=units)


def places_fit(bound: float, width: int) -> bool:
    """True if `with_places` can tell scores up to `bound` in size and `width` places apart, exactly."""
    return bound * SCALE < 2.0 ** (53 - width.bit_length())


def with_places(scores: FloatArray, out: FloatArray) -> FloatArray:
    """Keys that are sorted as score, then place in the row, as floats: the latter is a fraction.

    A key is the score in units of 1e-9 minus a fraction that grows with the place along the last axis; both
    can be read back if `places_fit`. Where a row holds a few hundred items in ascending order, this is
    faster than `order_keys`.
    """
    np.multiply(scores, SCALE, out=out)
    np.rint(out, out=out)
    out -= np.arange(out.shape[-1]) * 0.5 ** out.shape[-1].bit_length()
    return out


def read_places(
    keys: FloatArray, items: IndexArray, least: float, found: IndexArray, scores: FloatArray
) -> None:
    """Read keys of `with_places` into items and scores, all of shape (..., rows, kept), ascending.

    Parameters
    ----------
    items : int32, shape (rows, width)
        What the places stand for.
    least
        Keys below stand for nothing, if they are whole numbers of 1e-9 or have been made so.
    """
    units = np.ceil(keys)
    place = units - keys
    place *= 2.0 ** items.shape[1].bit_length()
    cells = place.astype(np.int64)
    cells += np.arange(len(items))[:, None] * items.shape[1]
    found[...] = np.take(items, cells, mode="clip")
    np.divide(units, SCALE, out=scores)
    if (units[..., :1] < least).any():
        absent = units < least
        found[absent], scores[absent] = EMPTY, -np.inf


def best_of_cells(scores: FloatArray, items: IndexArray, found: IndexArray, found_scores: FloatArray) -> None:
    """The best items of every row for several members; only scores that are above 0 once rounded.

    `places_fit` must hold.

    Parameters
    ----------
    scores : float64, shape (queries * width, members)
        Not rounded yet.
    items : int32, shape (queries, width)
        Ascending in every row, then `EMPTY`, whose scores are 0.
    found, found_scores
        Are overwritten: items and scores as those of `Rankings`, shape (members, queries, depth).
    """
    width, depth = items.shape[1], found.shape[2]
    kept = min(width, depth)
    keys = np.empty((len(found), *items.shape))
    with_places(scores.T.reshape(keys.shape), keys)
    if width > 4 * depth:
        keys.partition(width - depth, axis=2)
        keys = keys[:, :, width - depth :].copy()
    keys.sort(axis=2)
    best = keys[:, :, keys.shape[2] - kept :]
    read_places(best, items, 1.0, found[:, :, :kept][:, :, ::-1], found_scores[:, :, :kept][:, :, ::-1])
    found[:, :, kept:], found_scores[:, :, kept:] = EMPTY, -np.inf
