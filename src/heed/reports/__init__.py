"""Frozen judgments in, a report out: one page, its figures and its tables.

Not here: computing (that is `statistics`) and collecting (that is `judging`). A section is a function of a
`Study`; what the data does not allow becomes a remark on the page, never a gap.
"""
