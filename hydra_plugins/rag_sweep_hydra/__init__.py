"""Makes rag-sweep's sweeper and launcher known to Hydra."""
