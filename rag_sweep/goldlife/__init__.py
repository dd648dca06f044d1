"""The life of a GOLD: new versions with a log, new questions and judgements, results measured anew."""
