"""What models achieve on text they have not seen, and whether one is better than another."""

from training.evaluation.comparing import Comparison, Scores, evaluate, perplexity_of
from training.evaluation.sample import EvaluationError, TooLittleText

__all__ = [
    "Comparison", "EvaluationError", "Scores", "TooLittleText", "evaluate", "perplexity_of",
]  # fmt: skip
