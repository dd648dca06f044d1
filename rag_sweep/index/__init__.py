"""One configuration, built: what an application serves, and what a sweep measured, to the last byte."""

from rag_sweep.index.explanation import Explanation
from rag_sweep.index.hits import Hit
from rag_sweep.index.index import Index

__all__ = ["Explanation", "Hit", "Index"]
