"""The YAML files in `conf/` and the components are one to one, with the same fields and defaults."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from rag_sweep.config import build
from rag_sweep.config.folder import GROUPS, PIPELINE_GROUPS, conf_dir, known_keys, options
from rag_sweep.config.program import compose_once

VERBS = {
    "dataset": "inspect",
    "chunker": "split",
    "analyzer": "tokens",
    "lexical": "weigh",
    "embedder": "encode",
    "fusion": "fuse",
    "reranker": "rescore",
    "tracking": "tracker",
    "store": "open",
    "execute": "shard_size",
    "generator": "write",
    "llm": "identity",
    "rules": "judge_all",
}
"""What makes a dataclass a component of its group."""

OF_ANSWERS = ("generator", "llm", "rules")
"""Groups of ``conf/answers.yaml``, which shares the others with ``conf/config.yaml``."""

SHARED = {"rules": ("judging",)}
"""Modules whose name says what their options have in common."""

FILES = sorted(conf_dir().glob("*/*.yaml"))
COMPONENTS = [file for file in FILES if file.parent.name != "sweep"]
REQUIRED = {
    "dataset.path": "x",
    "dataset.documents": "x",
    "dataset.gold": "x",
    "generator.target": "os.path:basename",
    "generator.url": "http://localhost",
    "llm.target": "os.path:basename",
}
"""Values for the keys that a user must give."""


def name_of(file: Path) -> str:
    return f"{file.parent.name}={file.stem}"


def fields_of(file: Path) -> dict[str, Any]:
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return {key: value for key, value in content.items() if key not in ("_target_", "defaults")}


def target_of(file: Path) -> str:
    return str(yaml.safe_load(file.read_text(encoding="utf-8"))["_target_"])


def class_of(file: Path) -> type[Any]:
    module, _, name = target_of(file).rpartition(".")
    found = getattr(importlib.import_module(module), name)
    assert isinstance(found, type)
    return found


def modules_of(group: str) -> Iterator[ModuleType]:
    package = importlib.import_module(f"rag_sweep.{group}")
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", [])):
        yield importlib.import_module(f"rag_sweep.{group}.{found.name}")


def components_of(group: str) -> set[str]:
    """Every component class that a group's modules define."""
    return {
        f"{cls.__module__}.{cls.__name__}"
        for module in modules_of(group)
        for cls in vars(module).values()
        if inspect.isclass(cls) and cls.__module__ == module.__name__
        if dataclasses.is_dataclass(cls) and hasattr(cls, VERBS[group])
    }


def required(file: Path) -> list[str]:
    keys = [f"{file.parent.name}.{field}" for field, value in fields_of(file).items() if value == "???"]
    return [f"{key}={REQUIRED[key]}" for key in keys]


def test_every_group_of_the_code_has_a_folder_and_every_folder_is_a_group() -> None:
    folders = {folder.name for folder in conf_dir().iterdir() if folder.is_dir()}
    assert folders == {*VERBS, "sweep", "prompts"}
    assert set(PIPELINE_GROUPS) < set(GROUPS) <= set(VERBS)
    assert set(GROUPS) | set(OF_ANSWERS) == set(VERBS)


@pytest.mark.parametrize("group", VERBS)
def test_every_component_has_a_yaml_and_every_yaml_a_component(group: str) -> None:
    targets = [target_of(file) for file in COMPONENTS if file.parent.name == group]
    assert len(set(targets)) == len(targets)
    assert set(targets) == components_of(group)


@pytest.mark.parametrize("name", ["config", "answers"])
def test_every_group_of_a_primary_config_is_a_folder_and_its_comment_names_every_option(name: str) -> None:
    lines = (conf_dir() / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    groups = {group: line for line in lines if (group := line.partition(":")[0].strip(" -")) in VERBS}
    assert set(groups) >= set(OF_ANSWERS if name == "answers" else GROUPS)
    for group, line in groups.items():
        named = f"{line.partition('#')[2]} "
        found = {file.stem for file in COMPONENTS if file.parent.name == group}
        assert all(f" {option} " in named for option in found), group


def test_the_default_configuration_of_answers_is_the_one_that_is_promised() -> None:
    config = compose_once([], "answers")
    for group, option in {
        "generator": "extractive",
        "llm": "none",
        "rules": "default",
        "tracking": "mlflow",
    }.items():
        assert config[group]["_target_"] == target_of(conf_dir() / group / f"{option}.yaml")
    assert config.get("embedder") is None
    assert (config["judges"], config["language"], config["kappa"]) == ([], "auto", 0.6)


@pytest.mark.parametrize("file", [f for f in COMPONENTS if f.parent.name in OF_ANSWERS], ids=name_of)
def test_every_option_of_answers_composes_and_instantiates(file: Path) -> None:
    config = compose_once([f"{file.parent.name}={file.stem}", *required(file)], "answers")
    assert type(build.component(config, file.parent.name)) is class_of(file)


def knobs_of_answers() -> list[str]:
    keys = yaml.safe_load((conf_dir() / "answers.yaml").read_text(encoding="utf-8"))
    top = [
        name
        for key, value in keys.items()
        if key not in ("defaults", "hydra")
        for name in ([f"{key}.{field}" for field in value] if isinstance(value, dict) else [key])
    ]
    files = [file for file in COMPONENTS if file.parent.name in OF_ANSWERS]
    return [*top, *(f"{file.parent.name}.{field}" for file in files for field in fields_of(file))]


@pytest.mark.parametrize("knob", knobs_of_answers())
def test_every_knob_of_answers_stands_in_the_reference(knob: str) -> None:
    page = (conf_dir().parent / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert f"`{knob}`" in page


@pytest.mark.parametrize("file", COMPONENTS, ids=name_of)
def test_a_yaml_stands_for_the_module_of_its_name(file: Path) -> None:
    module = target_of(file).rpartition(".")[0]
    assert module in (
        *(f"rag_sweep.{file.parent.name}", f"rag_sweep.{file.parent.name}.{file.stem}"),
        *(f"rag_sweep.{file.parent.name}.{name}" for name in SHARED.get(file.parent.name, ())),
    )


@pytest.mark.parametrize("file", COMPONENTS, ids=name_of)
def test_a_yaml_has_exactly_the_fields_of_its_dataclass_in_their_order(file: Path) -> None:
    assert list(fields_of(file)) == [field.name for field in dataclasses.fields(class_of(file)) if field.init]


@pytest.mark.parametrize("file", COMPONENTS, ids=name_of)
def test_the_defaults_of_a_yaml_are_those_of_its_dataclass(file: Path) -> None:
    cls = class_of(file)
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        written = fields_of(file)[field.name]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            assert written == "???", f"{field.name} has no default, so the user must give it"
        else:
            meant = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
            coerced = build.coerce(written, hints[field.name], field.name)
            assert (type(coerced), coerced) == (type(meant), meant), field.name


@pytest.mark.parametrize("file", [f for f in COMPONENTS if f.parent.name in GROUPS], ids=name_of)
def test_every_option_composes_and_instantiates(file: Path) -> None:
    config = compose_once([f"{file.parent.name}={file.stem}", *required(file)])
    component = build.component(config, file.parent.name)
    assert type(component) is class_of(file)
    settings = build.settings(config)
    assert (settings.k, settings.cutoffs) == (10, (1, 3, 5, 10))


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name == "sweep"], ids=name_of)
def test_every_named_sweep_composes_and_has_grids_and_a_name(file: Path) -> None:
    config = compose_once([f"+sweep={file.stem}"])
    assert config["sweep"]["name"] == file.stem
    assert config["sweep"]["grids"]
    assert all(isinstance(grid, dict) for grid in config["sweep"]["grids"])


def test_the_default_configuration_is_the_one_that_is_promised() -> None:
    config = compose_once([])
    for group, option in (
        ("dataset", "handbook"),
        ("chunker", "document"),
        ("analyzer", "stemmed"),
        ("lexical", "bm25"),
        ("embedder", "lsa"),
        ("fusion", "rrf"),
        ("reranker", "none"),
        ("tracking", "mlflow"),
    ):
        assert config[group]["_target_"] == target_of(conf_dir() / group / f"{option}.yaml")
    assert (config["k"], config["objective"]) == (10, "ndcg@10")


def test_the_table_of_contents_names_every_option_of_every_group() -> None:
    lines = (conf_dir() / "config.yaml").read_text(encoding="utf-8").splitlines()
    for group, found in options().items():
        line = next(line for line in lines if line.strip().startswith(f"- {group}:"))
        named = line.partition("#")[2]
        assert all(f" {option} " in f"{named} " for option in found), group


def test_the_keys_that_other_programs_rely_on_exist() -> None:
    relied_on = {
        *("dataset.path", "dataset.documents", "dataset.gold", "lexical.k1", "lexical.b", "embedder.dim"),
        *("fusion.k_rrf", "fusion.pool_depth", "k"),
    }
    assert relied_on <= set(known_keys())
