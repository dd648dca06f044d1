"""`rag-sweep search`: one configuration answers questions, and says why."""
