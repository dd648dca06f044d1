"""Whatever is changed in a bundle, reading it is one clear error, and nothing of it is used."""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from champions import written

from rag_sweep.champion import read_bundle
from rag_sweep.champion.manifest import MANIFEST, Manifest
from rag_sweep.errors import DataError

Change = Callable[[Path], None]

VECTORS = "arrays/vectors.npy"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("original"))


@pytest.fixture
def bundle(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "bundle"))


def flip(name: str) -> Change:
    """Change one bit in the middle of a file."""

    def change(bundle: Path) -> None:
        content = bytearray((bundle / name).read_bytes())
        content[len(content) // 2] ^= 1
        (bundle / name).write_bytes(content)

    return change


def remove(name: str) -> Change:
    return lambda bundle: (bundle / name).unlink()


def add(name: str, content: bytes = b"print('run')") -> Change:
    def change(bundle: Path) -> None:
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(content)

    return change


def link(name: str) -> Change:
    """Put the same content in place of a file, by a link."""

    def change(bundle: Path) -> None:
        outside = bundle.parent / "outside"
        shutil.move(bundle / name, outside)
        (bundle / name).symlink_to(outside)

    return change


def edit_manifest(edit: Callable[[dict[str, Any]], None], digest: bool = False) -> Change:
    """Change the manifest; with `digest`, as one who knows how it is sealed."""

    def change(bundle: Path) -> None:
        told = json.loads((bundle / MANIFEST).read_text(encoding="utf-8"))
        edit(told)
        if digest:
            parts = {key: told[key] for key in ("name", "code", "created", "files")}
            told["digest"] = Manifest(**parts).digest
        (bundle / MANIFEST).write_text(json.dumps(told), encoding="utf-8")

    return change


def put(name: str, content: bytes) -> Change:
    """Exchange a file together with its hash, as one who forges the manifest too."""

    def change(bundle: Path) -> None:
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        edit_manifest(lambda told: told["files"].update({name: digest}), digest=True)(bundle)

    return change


def renamed(name: str) -> Change:
    """A file of that name in the manifest."""
    return edit_manifest(lambda told: told["files"].update({name: "0" * 64}), digest=True)


def npy(header: str, body: bytes = b"") -> bytes:
    """A ``.npy`` file with any header."""
    text = header.encode("latin1") + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


def retargeted(target: str) -> Change:
    """Another component in the configuration, with the manifest forged to match."""

    def change(bundle: Path) -> None:
        told = json.loads((bundle / "configuration.json").read_text(encoding="utf-8"))
        told["config"]["chunker"] = {"_target_": target}
        put("configuration.json", json.dumps(told).encode())(bundle)

    return change


OBJECTS = pickle.dumps([print])
HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 3), }"
CASES: dict[str, tuple[Change, str]] = {
    "a changed array": (flip(VECTORS), r"vectors\.npy has changed: its SHA-256 is"),
    "changed documents": (flip("documents.jsonl"), r"documents\.jsonl has changed"),
    "a changed configuration": (flip("configuration.json"), r"configuration\.json has changed"),
    "changed golden rankings": (flip("golden.jsonl"), r"golden\.jsonl has changed"),
    "changed values": (flip("scorecard.json"), r"scorecard\.json has changed"),
    "changed thresholds": (add("thresholds.json", b'{"a": 1}'), r"thresholds\.json has changed"),
    "a missing array": (remove(VECTORS), r"vectors\.npy is missing"),
    "missing documents": (remove("documents.jsonl"), r"documents\.jsonl is missing"),
    "no manifest": (remove(MANIFEST), "there is no manifest.json in it"),
    "an extra file": (add("extra.txt"), r"extra\.txt doesn't belong to the bundle"),
    "extra code": (add("sitecustomize.py"), r"sitecustomize\.py doesn't belong"),
    "an extra array": (add("arrays/other.npy"), r"other\.npy doesn't belong"),
    "a link in place of a file": (link("golden.jsonl"), r"golden\.jsonl is a link"),
    "a manifest that is a link": (link(MANIFEST), "there is no manifest.json in it"),
    "a manifest with a flipped bit": (flip(MANIFEST), r"manifest\.json"),
    "another name": (edit_manifest(lambda told: told.update(name="other")), "its digest isn't that"),
    "another hash": (
        edit_manifest(lambda told: told["files"].update({"golden.jsonl": "0" * 64})),
        "its digest isn't that",
    ),
    "a forged hash": (renamed("golden.jsonl"), r"golden\.jsonl has changed"),
    "another format": (
        edit_manifest(lambda told: told.update(format=2)),
        "format 1, this is a bundle of format 2",
    ),
    "another key": (edit_manifest(lambda told: told.update(more=1)), "other keys than a manifest"),
    "no JSON": (add(MANIFEST, b"{"), "can't be read as JSON"),
    "nested JSON": (add(MANIFEST, b"[" * 100_000), "can't be read as JSON"),
    "a key twice": (add(MANIFEST, b'{"format": 1, "format": 1}'), "a key stands twice"),
    "NaN in a manifest": (add(MANIFEST, b'{"format": NaN}'), "NaN is no JSON number"),
    "a way out": (renamed("../outside.json"), "names a file that no bundle may hold: '../outside.json'"),
    "a way out from a folder": (renamed("arrays/../../x"), "no bundle may hold"),
    "an absolute path": (renamed("/etc/passwd"), "no bundle may hold: '/etc/passwd'"),
    "a path of Windows": (renamed("..\\x"), "no bundle may hold"),
    "a drive of Windows": (renamed("C:x"), "no bundle may hold"),
    "a hidden file": (renamed(".x"), "no bundle may hold"),
    "a deep path": (renamed("a/b/c"), "no bundle may hold"),
    "a NUL in a name": (renamed("a\0b"), "no bundle may hold"),
    "a manifest in itself": (renamed(MANIFEST), "no bundle may hold"),
    "no hash": (edit_manifest(lambda told: told["files"].update(x="y"), digest=True), "no SHA-256 for x"),
    "no list of files": (edit_manifest(lambda told: told.update(files=[])), '"files" must be an object'),
    "an array of objects": (
        put(VECTORS, npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", OBJECTS)),
        r"vectors\.npy is no array that a bundle may hold: it holds object",
    ),
    "an array of records": (
        put(VECTORS, npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", bytes(8))),
        r"vectors\.npy is no array that a bundle may hold",
    ),
    "an array of dates": (
        put(VECTORS, npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }", bytes(8))),
        "is no array that a bundle may hold",
    ),
    "a pickle": (put(VECTORS, OBJECTS), "is no array that a bundle may hold"),
    "a huge header": (put(VECTORS, npy(" " * 60_000)), "is no array that a bundle may hold: Header"),
    "a huge shape": (
        put(VECTORS, npy(HUGE, bytes(8))),
        r"header claims 24,000,000,000,000 bytes, and there are 8",
    ),
    "a negative shape": (
        put(VECTORS, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }", bytes(8))),
        r"its shape is \(-1, -1\)",
    ),
    "code in a header": (
        put(VECTORS, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (print(1),), }")),
        "is no array that a bundle may hold",
    ),
    "a short array": (
        put(VECTORS, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", bytes(8))),
        "claims 16 bytes, and there are 8",
    ),
    "a foreign component": (retargeted("os.path.join"), r"chunker\._target_ is 'os\.path\.join'.*--trust"),
    "a component of another group": (retargeted("rag_sweep.fusion.RRF"), "must name a component"),
    "a module of ours that is none": (retargeted("rag_sweep.__main__.main"), "must name a component"),
    "a target that is no name": (retargeted("os;system"), "must name a component"),
    "documents of another corpus": (
        put("documents.jsonl", b'{"id": "a", "title": "", "text": "b"}\n'),
        "documents aren't those of scorecard.json",
    ),
    "no document": (put("documents.jsonl", b""), "has no document"),
    "a document without text": (put("documents.jsonl", b'{"id": "a"}\n'), "holds no documents"),
    "golden rankings cut short": (
        put("golden.jsonl", b'{"k": 3, "depth": 3, "questions": 6}\n'),
        "isn't whole",
    ),
    "a golden score that is no number": (
        put(
            "golden.jsonl",
            b'{"k":3,"depth":3,"questions":1}\n{"id":"q1","text":"x","documents":[["a","b"]]}\n',
        ),
        "holds no golden rankings",
    ),
    "golden rankings without a head": (put("golden.jsonl", b""), "holds no golden rankings"),
    "a configuration of nothing": (put("configuration.json", b"{}"), "is no configuration of a bundle"),
    "thresholds that are a list": (put("thresholds.json", b"[]"), "must hold an object"),
    "a scorecard of nothing": (put("scorecard.json", b"{}"), "no scorecard"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_tampered_bundle_is_one_clear_error(bundle: Path, case: str) -> None:
    change, told = CASES[case]
    change(bundle)
    with pytest.raises(DataError, match=told):
        read_bundle(bundle)


def test_an_untouched_copy_is_read(bundle: Path) -> None:
    assert read_bundle(bundle).name == "small"


def test_every_fault_is_told_at_once(bundle: Path) -> None:
    for change in (flip(VECTORS), remove("documents.jsonl"), add("extra.txt")):
        change(bundle)
    with pytest.raises(DataError) as caught:
        read_bundle(bundle)
    assert len(caught.value.faults) == 3


def test_arrays_that_do_not_fit_are_refused(bundle: Path) -> None:
    put(VECTORS, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }", bytes(24)))(bundle)
    found = read_bundle(bundle)
    with pytest.raises(DataError, match="vectors of the index must be"):
        _ = found.index


def test_a_missing_array_with_a_forged_manifest_is_refused(bundle: Path) -> None:
    remove(VECTORS)(bundle)
    edit_manifest(lambda told: told["files"].pop(VECTORS), digest=True)(bundle)
    found = read_bundle(bundle)
    with pytest.raises(DataError, match="index can't be restored: the index lacks array vectors"):
        _ = found.index


def test_a_vector_that_is_no_number_is_refused(bundle: Path) -> None:
    vectors = np.load(bundle / VECTORS, allow_pickle=False)
    vectors[0, 0] = np.nan
    from rag_sweep.champion.npy import array_bytes

    put(VECTORS, array_bytes(vectors))(bundle)
    found = read_bundle(bundle)
    with pytest.raises(DataError, match="no number"):
        _ = found.index


def test_a_configuration_that_gives_another_one_is_refused(bundle: Path) -> None:
    told = json.loads((bundle / "configuration.json").read_text(encoding="utf-8"))
    told["config"]["lexical"]["k1"] = 1.0
    put("configuration.json", json.dumps(told).encode())(bundle)
    with pytest.raises(DataError, match="gives another configuration than was promoted"):
        read_bundle(bundle)


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        read_bundle(tmp_path / "nothing")
