"""Hydra's config loader and master config, as a sweeper gets them, with options that are hard to compose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra._internal.hydra import Hydra
from hydra._internal.utils import create_config_search_path
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import OmegaConf, open_dict, read_write

from rag_sweep.config.folder import conf_dir

FIXED = "_target_: rag_sweep.chunker.fixed.FixedChunker\n"
OPTIONS = {
    "chunker/derived": f"{FIXED}size: ${{embedder.dim}}\noverlap: ${{k}}\n",
    "chunker/of_job": f"{FIXED}note: ${{hydra:runtime.choices.lexical}}\n",
    "lexical/based": "defaults: [bm25]\nb: 0.1\nextra:\n  deep: [1, {x: 2}]\n  word: ${lexical.k1}\n",
    "sweep/global": "# @package _global_\ndefaults: [{override /fusion: dense_only}]\nsweep: {name: all}\n",
    "sweep/shared": "# @package _global_\nsweep:\n  name: shared\n  sizes: [20, 40]\n  grids:\n"
    "    - {chunker: [fixed], chunker.size: '${sweep.sizes}', lexical.b: ['${lexical.k1}']}\n",
}
"""Config files of a user, by group and option."""


TRICKY = [
    *("", " ", " x ", "null", "NULL", "true", "False", "1", "-1", "1.5", "1e3", "1_000", "inf", "nan", "0x1"),
    *(
        "a,b",
        "[1,2]",
        "{a:1}",
        "choice(1,2)",
        "range(1,3)",
        "x=1",
        "x:y",
        "k1",
        "a-b",
        "a.b",
        "a/b",
        "*",
        "@",
    ),
    *("it's", '"q"', "'", '"', "\\", "\\\\", "a\\", "\\'", "a\\'b\\", "(", "]", "${x}", "\\${x}", "$", "#"),
    *("слово", "два слова", "été", "日本", "🚀", "a\tb", "a\nb", "~x", "+x", "--x", "%20", "C:\\dir\\file"),
]
"""Texts that mean something else unless they are quoted."""


def write_options(folder: Path) -> Path:
    """Write `OPTIONS` into a config directory."""
    for name, text in OPTIONS.items():
        file = folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def loader_of(config_dir: Path | None = None) -> Any:
    """A config loader over `conf/` and a directory of the user."""
    GlobalHydra.instance().clear()
    path = create_config_search_path(str(conf_dir()))
    if config_dir is not None:
        path.prepend(provider="command-line", path=f"file://{config_dir}")
    hydra = Hydra.create_main_hydra2("test", path)
    GlobalHydra.instance().clear()
    return hydra.config_loader


def master_of(loader: Any, *overrides: str) -> Any:
    """The config that a sweeper is given."""
    return loader.load_configuration("config", [*overrides, "hydra.mode=MULTIRUN"], RunMode.MULTIRUN)


def by_hydra(loader: Any, master: Any, overrides: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """The resolved config of a job and its choices, as Hydra's basic launcher hands it to a task."""
    config = loader.load_sweep_config(master, list(overrides))
    before = HydraConfig.instance().cfg
    HydraConfig.instance().set_config(config)
    try:
        choices = dict(config.hydra.runtime.choices)
        with read_write(config), open_dict(config):
            del config["hydra"]
        return OmegaConf.to_container(config, resolve=True), choices
    finally:
        HydraConfig.instance().cfg = before
