"""``python -m rag_sweep``."""

from __future__ import annotations

from rag_sweep.cli.app import main

if __name__ == "__main__":
    main()
