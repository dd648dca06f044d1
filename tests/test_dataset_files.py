"""Your own documents: a folder or a JSONL, and the dataset that they make with a GOLD file."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml

from rag_sweep.dataset.beir import Beir
from rag_sweep.dataset.files import Files
from rag_sweep.dataset.folder import markdown_title
from rag_sweep.dataset.handbook import Handbook
from rag_sweep.dataset.places import read_text
from rag_sweep.errors import ConfigError, DataError, Fault
from rag_sweep.records import Dataset, Document

CONF = Path(__file__).resolve().parents[1] / "conf" / "dataset"


def write_jsonl(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_folder(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def read(tmp_path: Path, documents: Path, relevant: str = "a") -> tuple[Dataset | None, list[Fault]]:
    gold = write_jsonl(tmp_path / "gold.jsonl", {"question": "What?", "relevant": [relevant]})
    return Files(str(documents), str(gold)).read()


def test_ids_of_a_folder_are_paths_without_endings(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="# One\ntext", hr__b_txt="# two", hr__old__c_1_MD="three")
    dataset, faults = read(tmp_path, docs)
    assert faults == []
    assert dataset is not None
    assert dataset.name == "docs"
    assert dataset.corpus.documents == (
        Document("a", "One", "# One\ntext"),
        Document("hr/b", "", "# two"),
        Document("hr/old/c.1", "", "three"),
    )


def test_hidden_files_and_folders_are_ignored_and_other_endings_counted(tmp_path: Path) -> None:
    docs = write_folder(
        tmp_path / "docs", a_md="x", _git__b_md="x", _hidden_md="x", c_pdf="x", d__e_pdf="x", f="x"
    )
    dataset, faults = read(tmp_path, docs)
    assert dataset is not None
    assert [document.doc_id for document in dataset.corpus.documents] == ["a"]
    assert [(fault.what, fault.level) for fault in faults] == [
        ("files left out, not .md or .txt: .pdf 2, no ending 1", "warning")
    ]
    assert dataset.warnings == ("files left out, not .md or .txt: .pdf 2, no ending 1 (docs)",)


def test_two_files_that_give_one_id_are_a_fault(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x", a_txt="y")
    dataset, faults = read(tmp_path, docs)
    assert dataset is None
    assert [(fault.file, fault.id) for fault in faults] == [(docs / "a.txt", "a")]
    assert str(docs / "a.md") in faults[0].what


def test_line_ends_and_byte_order_marks_do_not_change_the_corpus(tmp_path: Path) -> None:
    unix = write_folder(tmp_path / "unix", a_md="# Т\nтекст\n")
    windows = write_folder(tmp_path / "windows", a_md="\ufeff# Т\r\nтекст\r\n")
    one, other = read(tmp_path, unix)[0], read(tmp_path, windows)[0]
    assert one is not None
    assert other is not None
    assert one.corpus.fingerprint == other.corpus.fingerprint


def test_ids_are_in_one_unicode_form_whatever_the_file_system_keeps(tmp_path: Path) -> None:
    name = "район"
    docs = write_folder(tmp_path / "docs", **{unicodedata.normalize("NFD", name) + "_md": "x"})
    dataset, faults = read(tmp_path, docs, relevant=unicodedata.normalize("NFC", name))
    assert faults == []
    assert dataset is not None


def test_every_file_that_is_not_utf8_is_listed_and_its_id_is_known(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x", b_md="x")
    (docs / "a.md").write_bytes("слово".encode("cp1251"))
    (docs / "b.md").write_bytes(b"x\n\xff")
    dataset, faults = read(tmp_path, docs, relevant="a")
    assert dataset is None
    assert [(fault.file, fault.line) for fault in faults] == [(docs / "a.md", 1), (docs / "b.md", 2)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_named_and_not_opened(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x")
    os.mkfifo(docs / "c.md")
    _, faults = read(tmp_path, docs, relevant="a")
    assert [(fault.file, fault.level) for fault in faults] == [(docs / "c.md", "error")]
    assert "isn't a regular file" in faults[0].what
    for path in (docs / "c.md", Path(os.devnull)):
        found: list[Fault] = []
        assert read_text(path, found) is None
        assert [fault.file for fault in found] == [path]
    jsonl = tmp_path / "docs.jsonl"
    os.mkfifo(jsonl)
    _, faults = Files(str(jsonl), str(jsonl)).read()
    assert ["isn't a regular file" in fault.what for fault in faults] == [True, True]


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that are any bytes")
def test_a_name_that_is_not_utf8_is_told_from_a_locale_that_cannot_show_it(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x")
    (docs / os.fsdecode(b"\xff.md")).write_text("x")
    _, faults = read(tmp_path, docs, relevant="a")
    assert [fault.what == "the file's name isn't UTF-8: '\\udcff'" for fault in faults] == [True]
    (docs / os.fsdecode(b"\xff.md")).rename(docs / "б.md")
    (tmp_path / "gold.jsonl").write_text(json.dumps({"question": "x", "relevant": ["a"]}))
    words = ["dataset=files", "dataset.documents=docs", "dataset.gold=gold.jsonl"]
    ran = subprocess.run(
        [sys.executable, "-m", "rag_sweep", "gold", "check", *words],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "can't be read in this locale, which isn't UTF-8 (set PYTHONUTF8=1)" in ran.stdout


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_a_linked_folder_is_left_out_with_a_warning(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x")
    (docs / "loop").symlink_to(docs, target_is_directory=True)
    dataset, faults = read(tmp_path, docs)
    assert dataset is not None
    assert len(dataset.corpus) == 1
    assert [(fault.file, fault.level) for fault in faults] == [(docs / "loop", "warning")]


def test_an_empty_document_stays_with_a_warning(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_md="x", b_md=" \n", c_txt="")
    dataset, faults = read(tmp_path, docs)
    assert dataset is not None
    assert len(dataset.corpus) == 3
    assert [fault.id for fault in faults] == ["b", "c"]
    assert dataset.warnings == ("empty document (2 times: b, c)",)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    docs = write_folder(tmp_path / "docs", a_pdf="x")
    with pytest.raises(DataError, match=r"has no documents \(no .md or .txt file\)"):
        Files(str(docs), str(write_jsonl(tmp_path / "g.jsonl", {"question": "q", "relevant": []}))).load()


def test_a_single_markdown_file_is_refused(tmp_path: Path) -> None:
    docs = write_folder(tmp_path, a_md="x")
    dataset, faults = read(tmp_path, docs / "a.md")
    assert dataset is None
    assert [fault.what for fault in faults] == [
        "must be the folder of .md and .txt files, or a JSONL file, got a single .md file"
    ]


def test_missing_documents_are_one_fault_and_no_id_is_called_unknown(tmp_path: Path) -> None:
    dataset, faults = read(tmp_path, tmp_path / "nowhere")
    assert dataset is None
    assert [(fault.file, fault.what) for fault in faults] == [(tmp_path / "nowhere", "doesn't exist")]


def test_jsonl_documents_may_have_int_ids_no_title_and_other_keys(tmp_path: Path) -> None:
    docs = write_jsonl(
        tmp_path / "docs.jsonl",
        {"id": 7, "text": "seven", "url": ["ignored"]},
        {"id": "a", "title": None, "text": "\ufeffx\r\ny"},
        {"id": "b c/d", "title": "B", "text": "z"},
    )
    dataset, faults = read(tmp_path, docs)
    assert faults == []
    assert dataset is not None
    assert dataset.corpus.documents == (
        Document("7", "", "seven"),
        Document("a", "", "\ufeffx\r\ny"),
        Document("b c/d", "B", "z"),
    )


def test_every_fault_of_jsonl_documents_is_listed(tmp_path: Path) -> None:
    docs = write_jsonl(
        tmp_path / "docs.jsonl",
        {"id": "a", "text": "x"},
        {"text": "x"},
        {"_id": "beir", "text": "x"},
        {"id": 1.5, "text": "x"},
        {"id": True, "text": "x"},
        {"id": "  ", "text": "x"},
        {"id": "b", "text": None},
        {"id": "c", "text": 5, "title": ["t"]},
        {"id": "a", "text": "again"},
        {"id": 1, "text": "x"},
        {"id": "1", "text": "the same as the int"},
    )
    dataset, faults = read(tmp_path, docs)
    assert dataset is None
    assert [(fault.line, fault.id, fault.what) for fault in faults] == [
        (2, None, 'has no "id"'),
        (3, None, 'has no "id" (is it "_id"?)'),
        (4, None, '"id" must be a non-empty string or an int, got 1.5'),
        (5, None, '"id" must be a non-empty string or an int, got true'),
        (6, None, '"id" must be a non-empty string or an int, got "  "'),
        (7, "b", '"text" is null'),
        (8, "c", '"title" must be a string, got a list'),
        (8, "c", '"text" must be a string, got 5'),
        (9, "a", "duplicate document id: it is also the id of line 1"),
        (11, "1", "duplicate document id: it is also the id of line 10"),
    ]


def test_an_empty_jsonl_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text("\n\n")
    dataset, faults = read(tmp_path, tmp_path / "docs.jsonl")
    assert dataset is None
    assert faults[0].what == "has no documents"


def test_one_pass_lists_the_faults_of_documents_and_gold(tmp_path: Path) -> None:
    docs = tmp_path / "docs.jsonl"
    docs.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": \n')
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"question": "?!", "relevant": ["z"]}\n{"question": "q", "relevant": ["a"]}\n{broken\n')
    with pytest.raises(DataError) as caught:
        Files(str(docs), str(gold)).load()
    assert [(fault.file, fault.line) for fault in caught.value.faults] == [(docs, 2), (gold, 1), (gold, 3)]
    assert f'{gold}:1 [1] unknown document "z"' in str(caught.value)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Title", "Title"),
        ("text\n\n   #\tTitle ##  \n# Next", "Title"),
        ("## Two\n# One", "One"),
        ("#Tag\n#hashtag\n", ""),
        ("    # indented code\n", ""),
        ("```sh\n# comment\n```\n# Title", "Title"),
        ("~~~~\n# no\n~~~\n# no\n~~~~\n# Title", "Title"),
        ("``` not a ` fence\n# Title", "Title"),
        ("```\n# never closed", ""),
        ("#\n# Later", ""),
        ("# C#", "C#"),
        ("# Код E-3107 #1", "Код E-3107 #1"),
        ("", ""),
    ],
)
def test_the_title_is_the_first_heading_of_level_one(text: str, title: str) -> None:
    assert markdown_title(text) == title


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Files("", "g"), "dataset.documents must be a path, got ''"),
        (lambda: Files("d", "\0"), r"dataset.gold must be a path, got '\\x00'"),
        (lambda: Files("d", None), "dataset.gold must be a path, got None"),  # type: ignore[arg-type]
        (lambda: Files("d", "g", " "), "dataset.version must be a non-empty string or null, got ' '"),
        (lambda: Beir(3), "dataset.path must be a path, got 3"),  # type: ignore[arg-type]
        (lambda: Beir("p", "../test"), "dataset.split must be the name of a file in qrels/"),
        (lambda: Beir("p", ""), "dataset.split must be"),
        (lambda: Handbook("de"), 'dataset.language must be "ru" or "en", got \'de\''),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_parameter_is_refused_by_name(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


@pytest.mark.parametrize("component", [Files, Beir, Handbook])
def test_the_yaml_holds_the_fields_with_their_defaults(component: type) -> None:
    values = yaml.safe_load((CONF / f"{component.__name__.lower()}.yaml").read_text())
    assert values.pop("_target_") == f"{component.__module__}.{component.__qualname__}"
    fields = dataclasses.fields(component)
    assert values == {f.name: "???" if f.default is dataclasses.MISSING else f.default for f in fields}


def test_the_shared_regulations_load(shared: Path) -> None:
    folder = shared / "fixtures" / "regulations"
    dataset = Files(str(folder / "docs.jsonl"), str(folder / "gold.jsonl")).load()
    assert (len(dataset.corpus), len(dataset.gold.questions), dataset.warnings) == (6, 5, ())
    assert [question.query_id for question in dataset.gold.questions] == ["1", "2", "3", "4", "5"]
