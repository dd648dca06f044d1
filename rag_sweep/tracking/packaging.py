"""A folder of plain data as an MLflow model, and what such a model must look like to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_sweep.errors import DataError, Fault
from rag_sweep.fingerprint import fingerprint

if TYPE_CHECKING:
    from mlflow.models import ModelSignature

LOADER = "rag_sweep.served"
"""The module that MLflow loads our models with."""

MLMODEL = "MLmodel"
_DECISIVE = (MLMODEL, "conda.yaml", "python_env.yaml", "requirements.txt")
"""What MLflow itself goes by: which module loads a model, and what is installed for it."""

_DATA = "data"
_FLAVOR = "python_function"


@dataclass(frozen=True)
class Entry:
    """What is registered.

    Attributes
    ----------
    bundle
        A folder of plain data; `loader` is the module that reads it.
    requirement
        What pip has to install to load it, such as ``rag-sweep==0.1.0``.
    tags, description
        Of the version; a description is Markdown.
    example
        A row of input.
    """

    bundle: Path
    loader: str
    requirement: str
    tags: Mapping[str, str]
    description: str
    example: Mapping[str, Any] = field(default_factory=dict)


def save_model(target: Path, entry: Entry, model_id: str) -> Path:
    """Save an MLflow model that holds a copy of a bundle, and nothing that is pickled or run."""
    import mlflow
    import pandas as pd
    from mlflow.models import Model

    mlflow.pyfunc.save_model(
        str(target),
        loader_module=entry.loader,
        data_path=str(entry.bundle),
        signature=_signature(),
        input_example=pd.DataFrame([dict(entry.example)]),
        pip_requirements=[entry.requirement],
        mlflow_model=Model(model_id=model_id),
    )
    return target


def model_digest(folder: Path) -> str:
    """The hash of the files that MLflow itself goes by."""
    there = [name for name in _DECISIVE if (folder / name).is_file()]
    return fingerprint({name: (folder / name).read_bytes() for name in there})


def bundle_in(folder: Path, loader: str) -> Path:
    """The folder of the bundle in an MLflow model, or the folder itself where it is no MLflow model.

    Raises
    ------
    DataError
        If it is a model of another loader, or one that brings code along.
    """
    file = folder / MLMODEL
    if not file.exists():
        return folder
    flavor = _flavor(file)
    if flavor.get("loader_module") != loader:
        told = f"is a model that {flavor.get('loader_module')!r} loads, not {loader}"
        raise DataError(Fault(told, file=file))
    if flavor.get("code"):
        told = f"brings code along ({flavor['code']!r}), which a model of ours never does"
        raise DataError(Fault(told, file=file))
    data = str(flavor.get("data"))
    parts = data.split("/")
    if len(parts) != 2 or parts[0] != _DATA or not parts[1].replace("-", "_").isidentifier():
        raise DataError(Fault(f"names no folder of data: {data!r:.120}", file=file))
    return folder / data


def _flavor(file: Path) -> dict[str, Any]:
    import yaml

    try:
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
        flavor = told["flavors"][_FLAVOR]
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, RecursionError) as error:
        raise DataError(Fault(f"is no MLflow model: {error!r:.200}", file=file)) from error
    if not isinstance(flavor, dict):
        raise DataError(Fault("is no MLflow model", file=file))
    return flavor


def _signature() -> ModelSignature:
    """A question and how many documents; `k` may be missing, and is checked by the model, which says more."""
    from mlflow.models import ModelSignature
    from mlflow.types.schema import AnyType, Array, ColSpec, DataType, Schema

    text, number, place = DataType.string, DataType.double, DataType.long
    anything: Any = AnyType()  # type: ignore[no-untyped-call]
    found: dict[str, Any] = {"ids": text, "scores": number, "titles": text, "texts": text}
    found["spans"] = Array(place)
    return ModelSignature(
        Schema([ColSpec(text, "query"), ColSpec(anything, "k", required=False)]),
        Schema([ColSpec(Array(kind), key) for key, kind in found.items()]),
    )
