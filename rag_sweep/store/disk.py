"""The store in a folder of the project."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.checks import is_count, require
from rag_sweep.store.diskstore import DiskStore


@dataclass(frozen=True)
class Disk:
    """Values are kept on disk, for later runs and for other processes.

    Parameters
    ----------
    path
        The folder, from the working directory; made if it isn't there.
    limit_mb
        Megabytes (of 1,000,000 bytes) above which the least recently used values go, >= 1.
    """

    path: str = "mlruns/.store"
    limit_mb: int = 4096

    def __post_init__(self) -> None:
        is_text = isinstance(self.path, str) and bool(self.path.strip())
        require("store.path", self.path, "the path of a folder", is_text)
        require("store.limit_mb", self.limit_mb, "an int >= 1", is_count(self.limit_mb))

    def open(self, *, create: bool = True) -> DiskStore:
        """Open the store, or make it; with `create=False` it must be there.

        Raises
        ------
        ConfigError
            ``store.path …``, if the folder can't be used.
        """
        return DiskStore(self.path, self.limit_mb * 1_000_000, create=create)
