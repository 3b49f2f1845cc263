"""Step 2: from a reference to the text that a claim can be judged against.

`query` says what to ask, `matching` whether an answer is the cited work, `abstracts` whether its text can
be used. Sources (`library`, `semantic_scholar`) share them; `cache` and `chain` are laid around sources.
"""
