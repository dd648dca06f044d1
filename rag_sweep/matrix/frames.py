"""A sweep as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rag_sweep.arrays import IntArray
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.measures import first_relevant_rank

if TYPE_CHECKING:
    from pandas import DataFrame


def configurations_frame(data: StoredSweep) -> DataFrame:
    """See `SweepData.frame`."""
    import pandas as pd

    records = data.configurations
    params = dict.fromkeys(key for one in records for key in one.params)
    columns: dict[str, Any] = {
        "index": [one.index for one in records],
        "name": [one.name for one in records],
        **{key: [one.params.get(key) for one in records] for key in params},
        **{name: data.means[:, data.columns.index(name)] for name in data.measures},
        "alias_of": _integers([one.alias_of for one in records]),
        "failure": pd.Series([one.failure for one in records], dtype=object),
    }
    return pd.DataFrame(columns)


def questions_frame(data: StoredSweep, configurations: Sequence[int]) -> DataFrame:
    """See `SweepData.questions_frame`."""
    import pandas as pd

    rows = [data.row(index) for index in configurations]
    questions = len(data.questions)
    values = data.values[rows]
    first = (
        np.stack([_first_relevant(data, row) for row in rows]) if rows else np.empty((0, questions), np.int64)
    )
    every = np.tile(np.arange(questions), len(rows))
    ids = [question.query_id for question in data.questions]
    columns: dict[str, Any] = {
        "configuration": np.repeat(np.array(configurations, dtype=np.int64), questions),
        "question_id": pd.Categorical.from_codes(every, pd.Index(ids)),
        "answerable": np.tile(data.judgements.answerable, len(rows)),
        **{name: values[..., at].reshape(-1) for at, name in enumerate(data.measures)},
        "first_relevant": pd.arrays.IntegerArray(first.reshape(-1), np.isnan(values[..., 0].reshape(-1))),
        "top_score": data.top_scores[rows].reshape(-1),
    }
    return pd.DataFrame(columns)


def _integers(values: Sequence[int | None]) -> Any:
    """Whole numbers of which some are missing, as pandas keeps them whole."""
    import pandas as pd

    missing = np.array([value is None for value in values], dtype=np.bool_)
    return pd.arrays.IntegerArray(np.array([value or 0 for value in values], dtype=np.int64), missing)


def _first_relevant(data: StoredSweep, row: int) -> IntArray:
    """Rank of the first relevant document of each question; 0 where none was found."""
    return first_relevant_rank(data.judgements.grades_at(data.documents[row]))
