"""Judgments in, estimates out: pure, seeded functions over arrays and Polars frames.

Not here: reading the database, drawing, and deciding what a study should ask. Every function returns a frozen
`Estimate`, a frozen dataclass or a frame, and refuses input it cannot answer for with a `UserError`.
"""
