"""What the demonstration says: its figures as text, and one sentence about what is happening."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.token_text import quoted

if TYPE_CHECKING:
    from app.demonstration_worker import Scene
    from model.generation_moment import CacheUse, Moment, Step

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
FACTORS_SHOWN = 4
STAGES = ("model", "temperature", "top-k", "top-p", "min-p")


def percent(probability: float) -> str:
    """Return an exact percentage; `0` stays a plain zero, so that dropped looks dropped."""
    if 0 < probability < 0.00005:
        return "<0.01%"
    return f"{probability:.2%}"


def power(log_value: float) -> str:
    """Return e to the `log_value` as a person writes it, however small: 1.24 × 10⁻²⁶."""
    if log_value == -math.inf:
        return "0"
    value = math.exp(log_value)
    if value >= 0.001:
        return f"{value:.4f}"
    digits = log_value / math.log(10)
    exponent = math.floor(digits)
    mantissa = round(10 ** (digits - exponent), 2)
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{mantissa:.2f} × 10{str(exponent).translate(SUPERSCRIPTS)}"


def product(path: tuple[Step, ...], log_value: float) -> str:
    """Return the chain rule's product with its last factors."""
    if not path:
        return "The chain rule begins with the first token."
    shown = [power(math.log(step.probability)) for step in path[-FACTORS_SHOWN:]]
    if len(path) == 1:
        return f"P = {shown[0]}"
    dots = ["…"] if len(path) > FACTORS_SHOWN else []
    return f"P = {' × '.join(dots + shown)} = {power(log_value)}"


def logarithm(moment: Moment) -> str:
    """Return the product's logarithm, what it is a token, and the product of the chances."""
    count = len(moment.path)
    if not count:
        return ""
    mean = moment.log_probability / count
    nats = f"ln P = {_signed(moment.log_probability)} nats, {_signed(mean)} a token"
    return f"{nats}  ·  perplexity {math.exp(-mean):,.2f}"


def chances(moment: Moment) -> str:
    """Return the same product of what the settings left, for comparison."""
    if not moment.path:
        return ""
    return f"With these settings the same words had a chance of {power(moment.log_chance)}"


def cache(use: CacheUse) -> str:
    """Return what the cache holds, in tokens and bytes."""
    size_mb, each_kb = use.tokens * use.token_bytes / 1e6, use.token_bytes / 1e3
    return (
        f"{use.tokens:,} of {use.room:,} tokens  ·  {size_mb:,.2f} MB ({each_kb:,.1f} kB a token)"
    )


def interval(moment: Moment) -> str:
    """Return which token owns the random number, and why."""
    if moment.next is None:
        return ""
    token = quoted(moment.next.piece)
    if moment.draw is None:
        return f"No number is drawn: temperature 0 always takes the likeliest, {token}"
    low, high = moment.next.low, moment.next.low + moment.next.chance
    return f"{low:.4f} ≤ {moment.draw:.4f} < {high:.4f}  →  {token}"


def before_draw(moment: Moment) -> str:
    """Return how many tokens the draw is among."""
    if moment.next is None:
        return ""
    count = moment.left[-1]
    what = "1 token is" if count == 1 else f"{count:,} tokens are"
    return f"{what} left to draw from; entropy of the model {moment.entropy_bits:.2f} bits"


def next_act(moment: Moment, is_drawn: bool) -> str:
    """Return what → does now."""
    if moment.next is None:
        return "The end"
    if is_drawn:
        return f"Add  {quoted(moment.next.piece)}"
    return "Take the likeliest" if moment.draw is None else "Draw"


def last_piece(moment: Moment) -> str:
    """Return the end of the generated text that the last token brought."""
    piece = moment.path[-1].piece.decode("utf-8", "replace") if moment.path else ""
    return piece if moment.text.endswith(piece) else moment.text[-1:]


def caption(name: str, moment: Moment) -> str:
    """Return a line above a text: how it came about, and how probable it is."""
    return f"{name}:  ln P = {_signed(moment.log_probability)}"


def narration(scene: Scene, is_drawn: bool) -> str:
    """Return what is happening, in one or two plain sentences."""
    moment = scene.moment
    token = quoted(moment.next.piece) if moment.next else ""
    if moment.is_ended:
        return "The model has ended the text here. Go back with ← and take another way."
    if is_drawn and moment.draw is None:
        return f"Temperature 0 draws nothing: {token} is the likeliest. Press → to add it."
    if is_drawn:
        return (
            f"The random number {moment.draw:.4f} falls on {token}. Press → to add it, "
            "or click another."
        )
    if not moment.path:
        return (
            "The model has read your text and gives every token a probability. Press → to draw one."
        )
    last = quoted(moment.path[-1].piece)
    return f"{last} belongs to the text now, and the model has read it. Press → to draw again."


def pace(tokens_per_second: float) -> str:
    """Return a speed in words."""
    if tokens_per_second < 1:
        return f"a token in {1 / tokens_per_second:g} seconds"
    return (
        "1 token a second" if tokens_per_second == 1 else f"{tokens_per_second:g} tokens a second"
    )


def _signed(value: float) -> str:
    """A figure with a true minus sign."""
    return f"{value:.2f}".replace("-", "−")
