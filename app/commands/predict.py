"""`foretype predict`: the words, or tokens, that the model expects after a text."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any

from app.commands.loading import load_learning_predictor, load_predictor

if TYPE_CHECKING:
    from model.predictor import Predictor

MOST_WORDS = 1000


class RequestError(ValueError):
    """A line that the server cannot answer; the message says what it should have been."""


def show(text: str, model: str | None, count: int, tokens: bool) -> None:
    """Print what may follow `text`, likeliest first, with probabilities in per cent."""
    prediction = load_predictor(model).predict(text, count)
    if tokens:
        rows = [(json.dumps(t.text, ensure_ascii=False), t.probability) for t in prediction.tokens]
        rows = rows[:count]
    else:
        rows = [(word.text, word.probability) for word in prediction.words]
    width = max((len(label) for label, _ in rows), default=0)
    for label, probability in rows:
        print(f"{label:<{width}}  {100 * probability:5.1f} %")


def serve(model: str | None, lines: IO[bytes], answers: IO[str]) -> None:
    """Answer line-JSON requests until the input ends; every line gets exactly one answer.

    `{"context": …, "prefix": …, "k": …}` gives `{"words": […], "probabilities": […]}` and, if
    some of the words do not begin with the prefix but correct it, `"corrections": […]`;
    `{"learn": …}` gives `{}` and is remembered until the input ends; a line that is neither gives
    `{"error": …}`.
    """
    predictor = load_learning_predictor(model)
    for line in lines:
        try:
            answer = _answer(predictor, _request(line))
        except Exception as err:  # whatever one request does, the next one is answered
            said = str(err) if isinstance(err, RequestError) else f"{type(err).__name__}: {err}"
            answer = {"error": said}
        print(json.dumps(answer, ensure_ascii=False), file=answers, flush=True)


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line.decode())
    except (ValueError, RecursionError) as err:
        raise RequestError(f"not a line of JSON in UTF-8: {err}") from err
    if not isinstance(request, dict):
        raise RequestError(f"the line holds {type(request).__name__}; it must be an object")
    allowed = ("learn",) if "learn" in request else ("context", "prefix", "k")
    unknown = [key for key in request if key not in allowed]
    if unknown:
        raise RequestError(f"unknown field {unknown[0]!r}; allowed are {', '.join(allowed)}")
    return request


def _answer(predictor: Predictor, request: dict[str, Any]) -> dict[str, Any]:
    if "learn" in request:
        predictor.learn(_text(request, "learn"))
        return {}
    count = request.get("k", 5)
    if type(count) is not int or not 1 <= count <= MOST_WORDS:
        raise RequestError(f"k is {count!r}; it must be a whole number from 1 to {MOST_WORDS}")
    words = predictor.words(_text(request, "context"), _text(request, "prefix", ""), count)
    answer: dict[str, Any] = {
        "words": [word.text for word in words],
        "probabilities": [round(word.probability, 8) for word in words],
    }
    if corrections := [word.text for word in words if word.is_correction]:
        answer["corrections"] = corrections
    return answer


def _text(request: dict[str, Any], field: str, default: str | None = None) -> str:
    value = request.get(field, default)
    if not isinstance(value, str):
        raise RequestError(f"{field} is {value!r}; it must be a string")
    return value


def serve_standard_streams(model: str | None) -> None:
    """Serve on stdin and stdout, and keep anything else that prints away from stdout."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    try:
        serve(model, sys.stdin.buffer, answers)
    finally:
        sys.stdout = answers
