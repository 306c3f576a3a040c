"""What the demonstration says: its figures as text, and one sentence about what is happening."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.token_text import quoted
from app.translation import localised, marked, tr

if TYPE_CHECKING:
    from app.demonstration_worker import Scene
    from model.generation_moment import CacheUse, Moment, Step

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
FACTORS_SHOWN = 4
STAGES = (marked("model"), marked("temperature"), "top-k", "top-p", "min-p")


def percent(probability: float) -> str:
    """Return an exact percentage; `0` stays a plain zero, so that dropped looks dropped."""
    if 0 < probability < 0.00005:
        return "<" + localised("0.01%")
    return localised(f"{probability:.2%}")


def power(log_value: float) -> str:
    """Return e to the `log_value` as a person writes it, however small: 1.24 × 10⁻²⁶."""
    if log_value == -math.inf:
        return "0"
    value = math.exp(log_value)
    if value >= 0.001:
        return localised(f"{value:.4f}")
    digits = log_value / math.log(10)
    exponent = math.floor(digits)
    mantissa = round(10 ** (digits - exponent), 2)
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{localised(f'{mantissa:.2f}')} × 10{str(exponent).translate(SUPERSCRIPTS)}"


def product(path: tuple[Step, ...], log_value: float) -> str:
    """Return the chain rule's product with its last factors."""
    if not path:
        return tr("The chain rule begins with the first token.")
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
    nats = tr(
        "ln P = {log_probability} nats, {mean} a token",
        log_probability=_signed(moment.log_probability),
        mean=_signed(mean),
    )
    return tr("{nats}  ·  perplexity {perplexity:,.2f}", nats=nats, perplexity=math.exp(-mean))


def chances(moment: Moment) -> str:
    """Return the same product of what the settings left, for comparison."""
    if not moment.path:
        return ""
    return tr(
        "With these settings the same words had a chance of {log_chance}",
        log_chance=power(moment.log_chance),
    )


def cache(use: CacheUse) -> str:
    """Return what the cache holds, in tokens and bytes."""
    size_mb, each_kb = use.tokens * use.token_bytes / 1e6, use.token_bytes / 1e3
    return tr(
        "{tokens:,} of {room:,} tokens  ·  {size_mb:,.2f} MB ({each_kb:,.1f} kB a token)",
        tokens=use.tokens,
        room=use.room,
        size_mb=size_mb,
        each_kb=each_kb,
    )


def interval(moment: Moment) -> str:
    """Return which token owns the random number, and why."""
    if moment.next is None:
        return ""
    token = quoted(moment.next.piece)
    if moment.draw is None:
        return tr(
            "No number is drawn: temperature 0 always takes the likeliest, {token}", token=token
        )
    low, high = moment.next.low, moment.next.low + moment.next.chance
    return f"{localised(f'{low:.4f} ≤ {moment.draw:.4f} < {high:.4f}')}  →  {token}"


def before_draw(moment: Moment) -> str:
    """Return how many tokens the draw is among."""
    if moment.next is None:
        return ""
    count = moment.left[-1]
    return tr(
        "%n tokens are left to draw from; entropy of the model {entropy_bits:.2f} bits",
        "",
        count,
        entropy_bits=moment.entropy_bits,
    )


def next_act(moment: Moment, is_drawn: bool) -> str:
    """Return what → does now."""
    if moment.next is None:
        return tr("The end")
    if is_drawn:
        return tr("Add  {piece}", piece=quoted(moment.next.piece))
    return tr("Take the likeliest") if moment.draw is None else tr("Draw")


def last_piece(moment: Moment) -> str:
    """Return the end of the generated text that the last token brought."""
    piece = moment.path[-1].piece.decode("utf-8", "replace") if moment.path else ""
    return piece if moment.text.endswith(piece) else moment.text[-1:]


def caption(name: str, moment: Moment) -> str:
    """Return a line above a text: how it came about, and how probable it is."""
    return tr(
        "{name}:  ln P = {log_probability}",
        name=name,
        log_probability=_signed(moment.log_probability),
    )


def narration(scene: Scene, is_drawn: bool) -> str:
    """Return what is happening, in one or two plain sentences."""
    moment = scene.moment
    token = quoted(moment.next.piece) if moment.next else ""
    if moment.is_ended:
        return tr("The model has ended the text here. Go back with ← and take another way.")
    if is_drawn and moment.draw is None:
        return tr(
            "Temperature 0 draws nothing: {token} is the likeliest. Press → to add it.", token=token
        )
    if is_drawn:
        return tr(
            "The random number {draw:.4f} falls on {token}. Press → to add it, or click another.",
            draw=moment.draw,
            token=token,
        )
    if not moment.path:
        return tr(
            "The model has read your text and gives every token a probability. Press → to draw one."
        )
    last = quoted(moment.path[-1].piece)
    return tr(
        "{last} belongs to the text now, and the model has read it. Press → to draw again.",
        last=last,
    )


def pace(tokens_per_second: float) -> str:
    """Return a speed in words."""
    if tokens_per_second < 1:
        return tr("a token in {seconds:g} seconds", seconds=1 / tokens_per_second)
    if tokens_per_second == 1:
        return tr("1 token a second")
    return tr("{tokens:g} tokens a second", tokens=tokens_per_second)


def _signed(value: float) -> str:
    """A figure with a true minus sign."""
    return localised(f"{value:.2f}").replace("-", "−")
