"""What a sweep costs beside other ways to do it: scripts/bench runs it, docs/performance.md explains it."""
