"""Hydra as a part of our command: nothing of it is left behind, and its errors are told in our form."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.config.arguments import parse
from rag_sweep.config.explain import explain, is_hydras
from rag_sweep.config.program import compose_once, conf_dir, job, run_hydra
from rag_sweep.errors import ConfigError, StageFailed, UsageError


def test_a_task_gets_the_config_and_the_process_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)
    monkeypatch.setattr(sys, "argv", ["mine"])
    where, seen = os.getcwd(), []
    run_hydra(lambda config: seen.append((job(config), os.getcwd())), parse(["lexical.k1=0.5"]))
    ((composed, choices, overrides), there) = seen[0]
    assert composed["lexical"]["k1"] == 0.5
    assert (choices["lexical"], overrides) == ("bm25", ("lexical.k1=0.5",))
    assert there == os.getcwd() == where
    assert sys.argv == ["mine"]
    assert "HYDRA_FULL_ERROR" not in os.environ


def test_the_process_is_as_it_was_after_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")
    argv = list(sys.argv)
    with pytest.raises(ConfigError):
        run_hydra(lambda config: None, parse(["lexical.k11=0.5"]))
    assert (os.environ["HYDRA_FULL_ERROR"], sys.argv) == ("0", argv)


def test_an_interpolation_in_an_override_is_the_configs_not_the_overrides() -> None:
    seen: list[Any] = []
    run_hydra(lambda config: seen.append(job(config)), parse(["lexical.b=${lexical.k1}", "lexical.k1=0.5"]))
    assert seen[0][0]["lexical"]["b"] == 0.5
    assert seen[0][2] == ("lexical.b=${lexical.k1}", "lexical.k1=0.5")


@pytest.mark.parametrize(
    "error", [ValueError("mine"), KeyboardInterrupt(), StageFailed("mine"), SystemExit(143)]
)
def test_what_the_task_raises_is_no_error_of_hydra(
    error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    def task(_: Any) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        run_hydra(task, parse([]))
    assert caught.value is error or (isinstance(error, SystemExit) and caught.value.code == 143)


def test_hydra_leaving_with_1_is_a_usage_error() -> None:
    with pytest.raises(SystemExit) as caught:
        run_hydra(lambda config: None, parse(["--cfg", "job", "--package", "nowhere"]))
    assert caught.value.code == 2


@pytest.mark.parametrize("name", ["plain", "with space", "a,b=[c]'d\"", "папка"])
def test_a_config_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name / "lexical"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text("_target_: rag_sweep.lexical.BM25\nk1: 3\n")
    for words in ([f"--config-dir={folder.parent}"], ["-cd", str(folder.parent)]):
        assert compose_once([*words, "lexical=mine"])["lexical"]["k1"] == 3


def test_a_file_of_the_user_that_would_never_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lexical").mkdir()
    (tmp_path / "lexical" / "bm25.yaml").write_text("_target_: rag_sweep.lexical.BM25\nk1: 3\nb: 0\n")
    message = r"lexical.bm25\.yaml in .* would never be read"
    with pytest.raises(ConfigError, match=message):
        run_hydra(lambda config: None, parse([f"--config-dir={tmp_path}"]))
    with pytest.raises(ConfigError, match=message):
        compose_once([f"--config-dir={tmp_path}"])
    assert compose_once([f"--config-dir={conf_dir()}"])["lexical"]["k1"] == 1.2


def test_a_broken_yaml_of_the_user_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "lexical").mkdir()
    (tmp_path / "lexical" / "mine.yaml").write_text("k1: [1,\n")
    with pytest.raises(ConfigError, match=r"(?s)mine\.yaml") as caught:
        compose_once([f"--config-dir={tmp_path}", "lexical=mine"])
    assert len(str(caught.value).splitlines()) <= 3


def test_a_yaml_of_the_user_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "lexical").mkdir()
    (tmp_path / "lexical" / "mine.yaml").write_bytes("# слово\nk1: 1".encode("cp1251"))
    for run in (compose_once, lambda words: run_hydra(lambda config: None, parse(words))):
        with pytest.raises(ConfigError, match=r"lexical.mine\.yaml isn't UTF-8: .* byte 0xf1") as caught:
            run([f"--config-dir={tmp_path}", "lexical=mine"])
        assert "\n" not in str(caught.value)


def test_only_a_run_takes_the_options_of_a_run() -> None:
    with pytest.raises(UsageError, match="option --multirun is one of `rag-sweep run` only"):
        compose_once(["-m"])


def test_the_config_folder_is_the_one_beside_the_package() -> None:
    assert (conf_dir() / "config.yaml").is_file()


def test_errors_of_hydra_are_told_from_ours() -> None:
    def of(run: Any) -> BaseException:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            run()
        return caught.value

    from hydra.core.override_parser.overrides_parser import OverridesParser
    from omegaconf import OmegaConf

    assert is_hydras(of(lambda: OmegaConf.create("{")))
    assert is_hydras(of(lambda: OverridesParser.create().parse_override("a='")))
    assert not is_hydras(of(lambda: int("x")))
    assert not is_hydras(ValueError("never raised"))


def test_an_error_without_words_is_still_named() -> None:
    assert explain(ValueError()) == "ValueError"
