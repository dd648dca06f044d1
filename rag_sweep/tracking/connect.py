"""From a place to a client and an experiment, or one clear error within seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.local import prepare
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.thirdparty import calling_mlflow, impatient

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment

# The experiment's page then opens on the runs, not on the page for traces of language models.
_EXPERIMENT_TAGS = {"mlflow.experimentKind": "custom_model_development"}


def connect(place: Place) -> MlflowClient:
    """A client whose store has answered.

    Raises
    ------
    TrackingError
        If the store can't be made, opened or reached.
    """
    prepare(place)
    with calling_mlflow(f"MLflow can't be used at {place.shown}"), impatient():
        from mlflow import MlflowClient

        client = MlflowClient(tracking_uri=place.uri)
        client.search_experiments(max_results=1)
    return client


def find_experiment(client: MlflowClient, place: Place, name: str) -> Experiment | None:
    """The experiment of that name, None if there is none yet.

    Raises
    ------
    TrackingError
        If it is deleted: MLflow keeps its name, so nothing can be logged under it.
    """
    with calling_mlflow(f"the experiment {name!r} can't be read at {place.shown}"):
        found = client.get_experiment_by_name(name)
    if found is not None and found.lifecycle_stage != "active":
        raise TrackingError(
            f"the MLflow experiment {name!r} at {place.shown} is deleted: restore it with\n"
            f"  mlflow experiments restore --experiment-id {found.experiment_id}\n"
            "or choose another name with tracking.experiment=NAME"
        )
    return found


def ensure_experiment(client: MlflowClient, place: Place, name: str) -> str:
    """The id of the experiment of that name, made if it isn't there.

    Raises
    ------
    TrackingError
        If it is deleted or can't be made.
    """
    found = find_experiment(client, place, name)
    if found is not None:
        return str(found.experiment_id)
    location = None if place.artifacts is None else place.artifacts.as_posix()
    try:
        with calling_mlflow(f"the experiment {name!r} can't be made at {place.shown}"):
            return str(client.create_experiment(name, artifact_location=location, tags=_EXPERIMENT_TAGS))
    except TrackingError:
        found = find_experiment(client, place, name)  # another process may have been faster
        if found is None:
            raise
        return str(found.experiment_id)
