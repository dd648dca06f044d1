"""Prompts are files: the project's, or the user's, and a wrong one is one clear error."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError
from rag_sweep.judges.faithfulness import CitationSupport, Faithfulness
from rag_sweep.judges.relevance import Completeness, Relevance, ReverseQuestions
from rag_sweep.llm.prompts import Prompts

PLACES = {
    "answer": ("context", "question"),
    "repair": ("fault",),
    **Faithfulness.prompts,
    **CitationSupport.prompts,
    **Relevance.prompts,
    **ReverseQuestions.prompts,
    **Completeness.prompts,
}
_NUMBER = count()


def written(folder: Path, text: str) -> Prompts:
    own = folder / str(next(_NUMBER))
    file = own / "prompts" / "repair" / "en.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return Prompts((own, conf_dir()))


def test_every_prompt_of_the_project_is_there_in_both_languages_and_is_used() -> None:
    folders = {folder.name for folder in (conf_dir() / "prompts").iterdir()}
    assert folders == set(PLACES)
    for name, places in PLACES.items():
        for language in ("en", "ru"):
            prompt = Prompts((conf_dir(),)).get(name, language, places)
            told = prompt.messages(**{place: f"<{place}>" for place in places})
            assert all(f"<{place}>" in told[-1].content for place in places)
            assert "{{" not in told[-1].content


def test_a_brace_in_a_value_is_what_it_is() -> None:
    (message,) = Prompts((conf_dir(),)).get("repair", "en", ("fault",)).messages(fault="{x} {{y}}")
    assert "{x} {{y}}" in message.content


def test_the_users_own_prompt_wins_and_its_label_differs(tmp_path: Path) -> None:
    ours = Prompts((conf_dir(),)).get("repair", "en", ("fault",))
    own = written(tmp_path, 'version: mine\nsystem: ""\nuser: "Again: {fault}"\n')
    found = own.get("repair", "en", ("fault",))
    assert found.messages(fault="broken")[0].content == "Again: broken"
    assert found.label.startswith("repair.en mine ")
    assert found.label.split()[-1] != ours.label.split()[-1]
    assert own.get("repair", "ru", ("fault",)) == Prompts((conf_dir(),)).get("repair", "ru", ("fault",))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'version: 1\nsystem: ""\nuser: "{falt}"\n',
            r"\{falt\} stands for nothing; its places are \{fault\}",
        ),
        ('version: 1\nsystem: ""\nuser: "again"\n', r"\{fault\} is missing"),
        ('version: 1\nsystem: ""\nuser: "{fault} {"\n', "a brace of the text itself is written twice"),
        ('version: 1\nsystem: ""\nuser: "{fault} {}"\n', r"\{\} stands for nothing"),
        ('version: 1\nsystem: ""\nuser: "{fault.x}"\n', r"\{fault\.x\} stands for nothing"),
        ('version: 1\nsystem: ""\nuser: "{fault:>{width}}"\n', "must stand alone in its braces"),
        ('version: 1\nsystem: ""\nuser: "{fault!r}"\n', "must stand alone in its braces"),
        ('version: 1\nuser: "{fault}"\n', "must have version, system and user"),
        ('version: 1\nsystem: ""\nuser: "{fault}"\nuesr: x\n', "and nothing else"),
        ("version: 1\nsystem: []\nuser: [x]\n", "must be texts"),
        ('version: {a: 1}\nsystem: ""\nuser: "{fault}"\n', "version must be"),
        ("version: [", "can't be read"),
        ("", "must have version"),
    ],
)
def test_a_prompt_that_is_made_wrong_is_an_error_with_its_file(tmp_path: Path, text: str, told: str) -> None:
    own = written(tmp_path, text)
    with pytest.raises(ConfigError, match=told) as caught:
        own.get("repair", "en", ("fault",))
    assert str(tmp_path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_prompt_that_is_not_there_is_an_error_with_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no prompt nothing/en\.yaml: looked in .*prompts/nothing"):
        Prompts((tmp_path, conf_dir())).get("nothing", "en", ())
