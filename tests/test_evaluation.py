"""Models compared: every figure is what it says, chance is told from gain, and why in words."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tiny_models
from tiny_models import TINY_LLAMA, tiny_bundle

from model.bundle import seal
from model.catalogue import Catalogue
from model.predictor import load_predictor
from training.evaluation import EvaluationError, TooLittleText, evaluate, perplexity_of, sample
from training.evaluation.__main__ import main
from training.evaluation.candidates import find
from training.evaluation.figures import MEASURES, Figure, Resampled
from training.evaluation.measuring import Counts, Read
from training.evaluation.sample import draw
from training.evaluation.typing import Typed, steps, type_step
from training.evaluation.verdict import Pair

if TYPE_CHECKING:
    from training.evaluation import Comparison

SENTENCE = "I am in on it and (a b) if so, a c is to do, as e f;"
TEXT = "\n".join(f"{SENTENCE} {word} an." for word in "abcdefghijkl")  # 240 words
SHORT = "\n".join(TEXT.splitlines()[:3])  # 60 words


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A model and another one."""
    root = tmp_path_factory.mktemp("evaluation")
    return [tiny_bundle(root / f"seed {seed}", seed=seed).folder for seed in (1, 2)]


@pytest.fixture(scope="module")
def comparison(folders: list[Path]) -> Comparison:
    """The first model, itself again, and the other one, on everything."""
    models = [folders[0], folders[0], folders[1]]
    return evaluate(models, [TEXT], words=None, names=["one", "again", "other"])


def test_the_figures_are_those_of_the_whole_text(
    comparison: Comparison, folders: list[Path]
) -> None:
    predictor = load_predictor(folders[1], threads=1)

    def suggest(context: str, prefix: str) -> list[str]:
        return [word.text for word in predictor.words(context, prefix, 5)]

    typed = sum((type_step(TEXT, step, suggest) for step in steps(TEXT)), Typed())
    figures = comparison.models[2].figures
    assert figures["saved_3"].value == pytest.approx(1 - typed.keys_3 / typed.characters)
    assert figures["next_word_5"].value == pytest.approx(typed.first_5 / typed.words)
    reading = perplexity_of(folders[1], TEXT)
    assert figures["perplexity"].value == pytest.approx(reading.perplexity)
    assert figures["bits_per_byte"].value == pytest.approx(reading.bits_per_byte)
    for name in MEASURES:
        assert figures[name].low <= figures[name].value <= figures[name].high


def test_a_model_does_not_differ_from_itself(comparison: Comparison) -> None:
    same, other = comparison.differences
    assert set(same.values()) == {Figure(0, 0, 0)}
    assert all(figure.value != 0 for name, figure in other.items() if "perplexity" in name)
    first, second = comparison.verdict().splitlines()
    assert first.count("there is no difference") == 2
    assert first.startswith("On this text again saves ")
    assert second.startswith("On this text other saves ")


def test_the_result_is_plain_json_that_names_its_sample(comparison: Comparison) -> None:
    said = json.loads(json.dumps(comparison.as_json()))
    assert (said["documents"], said["words"], said["words_typed"]) == (1, 240, 240)
    assert said["resampled"] == "passages"
    assert [model["model"] for model in said["models"]] == ["one", "again", "other"]
    assert said["models"][0]["figures"].keys() == MEASURES.keys()
    assert said["verdict"] == comparison.verdict()


def test_a_sample_depends_on_its_seed_alone_and_keeps_the_context() -> None:
    documents = [TEXT, TEXT.replace("if", "of")]
    drawn = draw(documents, 200, 1)
    assert drawn == draw(documents, 200, 1)
    assert drawn.typed != draw(documents, 200, 2).typed
    assert 200 <= drawn.typed_words < 200 + 40
    assert (drawn.words, drawn.read_words) == (480, 480)
    everything = draw(documents, None, 1)
    assert everything.typed_words == 480
    for passage in everything.typed:
        text = drawn.documents[passage.document]
        found = list(steps(text, passage.start, passage.end))
        joined = "".join(s.lead + s.word + s.trail + s.separator for s in found)
        assert joined == text[passage.start : passage.end]
        assert sum(1 for step in found if step.word) == passage.words
    ends = [passage.end for passage in everything.typed if passage.document == 1]
    assert ends[-1] == len(documents[1])


def test_many_documents_are_what_chance_has_drawn() -> None:
    assert draw([TEXT] * 20, None, 1).unit == "documents"
    assert draw([TEXT] * 19, None, 1).unit == "passages"


@pytest.mark.parametrize("text", ["", " \n ", "only a few words"])
def test_too_little_text_is_refused_with_what_is_needed(folders: list[Path], text: str) -> None:
    with pytest.raises(TooLittleText, match="at least 200 are needed"):
        evaluate(folders, [text])


def test_what_cannot_be_measured_is_refused(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="20 words are too few to measure; take 200"):
        evaluate(folders, [TEXT], words=20)
    with pytest.raises(EvaluationError, match="no model to evaluate"):
        evaluate([], [TEXT])
    broken = Path(shutil.copytree(folders[0], tmp_path / "broken"))
    (broken / "model.onnx").write_bytes(b"x" * (broken / "model.onnx").stat().st_size)
    with pytest.raises(EvaluationError, match=r"model\.onnx cannot be run"):
        evaluate([folders[0], broken], [TEXT])


def counts(gain: int, nats: float) -> Counts:
    """Of 30 passages of 100 characters, each a little different, with `gain` fewer keys."""
    typed = [
        Typed(100, 20, 60 + i % 5, 50 + i % 5 - gain, 45 + i % 5, 5, 8, 9 + i % 2)
        for i in range(30)
    ]
    read = [Read(nats * (25 + i % 3), 25 + i % 3, 100) for i in range(30)]
    return Counts(tuple(typed), tuple(read), tuple(read[:10]))


@pytest.fixture(scope="module")
def thirty_passages() -> Any:
    drawn = draw([TEXT] * 5, None, 1)
    return replace(drawn, typed=drawn.typed[:30], read=drawn.read[:30])


def test_intervals_are_paired_and_repeatable(thirty_passages: Any) -> None:
    models = [counts(0, 3.0), counts(6, 2.9)]
    general = replace(thirty_passages, read=thirty_passages.read[:10])
    resampled = Resampled(thirty_passages, general, models, seed=1)
    # Every passage gains the same, so chance has no part in the difference.
    difference = resampled.difference("saved_3", 1, 0)
    assert [difference.value, difference.low, difference.high] == pytest.approx([0.06] * 3)
    saved = resampled.figure("saved_3", 0)
    assert saved.value == pytest.approx(0.48)
    assert 0.473 < saved.low < 0.48 < saved.high < 0.487
    ratio = resampled.difference("perplexity", 1, 0)
    assert ratio.value == pytest.approx(math.exp(-0.1) - 1)
    assert resampled.figure("perplexity", 0).value == pytest.approx(math.exp(3))
    again = Resampled(thirty_passages, general, models, seed=1)
    assert again.figure("next_word_5", 1) == resampled.figure("next_word_5", 1)


def test_the_interval_has_the_width_that_statistics_says(thirty_passages: Any) -> None:
    generator = np.random.default_rng(5)
    first = [int(x) for x in generator.binomial(20, 0.4, 30)]
    typed = tuple(Typed(100, 20, 60, 50, 45, n, n, n) for n in first)
    measured = replace(counts(0, 3.0), typed=typed)
    general = replace(thirty_passages, read=thirty_passages.read[:10])
    figure = Resampled(thirty_passages, general, [measured], 1).figure("next_word_1", 0)
    expected = 2 * 1.96 * np.std(first) / 20 / math.sqrt(30)
    assert figure.high - figure.low == pytest.approx(expected, rel=0.1)


def verdict(saved: Figure, perplexity: Figure, general: Figure) -> str:
    before = {
        "saved_3": Figure(0.35, 0.33, 0.37),
        "perplexity": Figure(25, 24, 26),
        "general_perplexity": Figure(20, 19, 21),
    }
    difference = {"saved_3": saved, "perplexity": perplexity, "general_perplexity": general}
    after = {
        name: Figure(*[figure.value + difference[name].value * scale] * 3)
        for (name, figure), scale in zip(before.items(), (1, 25, 20), strict=True)
    }
    return str(Pair(("old", "new"), before, after, difference, after_training=True))


@pytest.mark.parametrize(
    ("saved", "perplexity", "general", "said"),
    [
        (
            Figure(0.062, 0.049, 0.075), Figure(-0.27, -0.3, -0.24), Figure(0.009, 0.005, 0.012),
            "On your text Foretype now saves 41.2 % of keystrokes, before 35.0 %; the difference "
            "is real (95 %: +4.9 to +7.5 points). Perplexity is 18.2, before 25.0: 27.0 % lower, "
            "so it expects this text better (95 %: 24.0 % to 30.0 %). On general English it is "
            "nearly as good as before (perplexity 20.2, before 20.0: +0.9 %, 95 %: at most +1.2 %)."
        ),
        (
            Figure(0.002, -0.01, 0.014), Figure(0.01, -0.01, 0.03), Figure(-0.01, -0.02, -0.001),
            "On your text Foretype now saves 35.2 % of keystrokes, before 35.0 %; no difference "
            "that could not be chance (95 %: −1.0 to +1.4 points). Perplexity is 25.2, before "
            "25.0: no difference that could not be chance (95 %: −1.0 to +3.0 %). On general "
            "English it is as good as before (perplexity 19.8, before 20.0: −1.0 %, 95 %: at "
            "most −0.1 %)."
        ),
        (
            Figure(-0.03, -0.04, -0.02), Figure(0.1, 0.08, 0.12), Figure(0.042, 0.03, 0.05),
            "On your text Foretype now saves 32.0 % of keystrokes, before 35.0 %; it got worse "
            "(95 %: −4.0 to −2.0 points); to go back: foretype models rollback. Perplexity is "
            "27.5, before 25.0: 10.0 % higher, so it is worse (95 %: 8.0 % to 12.0 %). On general "
            "English it has become worse (perplexity 20.8, before 20.0: +4.2 %, 95 %: at most "
            "+5.0 %)."
        ),
    ],
)  # fmt: skip
def test_the_verdict_says_what_it_means(
    saved: Figure, perplexity: Figure, general: Figure, said: str
) -> None:
    assert verdict(saved, perplexity, general) == said


def test_perplexities_of_different_tokenizers_are_not_compared(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    merges = ["o u" if merge == "i n" else merge for merge in tiny_models.MERGES]
    monkeypatch.setattr(tiny_models, "MERGES", merges)
    other = tiny_bundle(tmp_path / "other", TINY_LLAMA, seed=1).folder
    monkeypatch.setattr(sample, "LEAST_WORDS", 50)  # to save time
    found = evaluate([folders[0], other], [SHORT], names=["first", "other"])
    (difference,) = found.differences
    assert difference.keys() == MEASURES.keys() - {"perplexity", "general_perplexity"}
    assert "their perplexities cannot be compared; bits per byte can: " in found.verdict()
    assert "On general English other is" in found.verdict()


@pytest.fixture
def root(tmp_path: Path, folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with the model `tiny`, and `personal`, trained from it; the training kept SHORT."""
    monkeypatch.setattr(sample, "LEAST_WORDS", 50)  # to save time
    catalogue = Catalogue(tmp_path / "models")
    for name, folder in zip(("tiny", "personal"), folders, strict=True):
        with catalogue.staging(name) as work:
            staged = Path(shutil.copytree(folder, work / "bundle"))
            card = json.loads((staged / "card.json").read_bytes())
            seal(staged, {**card, **({"trained": {"base": "tiny"}} if name != "tiny" else {})})
            catalogue.publish(name, staged)
    catalogue.select("tiny")
    run = tmp_path / "training" / "20260131-235959"
    run.mkdir(parents=True)
    kept = [json.dumps({"text": part, "source": "x"}) for part in SHORT.split("\n")]
    (run / "held.jsonl").write_text("\n".join(kept) + "\n")
    version = catalogue.folder("personal").name
    (run / "result.json").write_text(json.dumps({"name": "personal", "version": version}))
    return catalogue.root


Capture = pytest.CaptureFixture[str]


def test_the_last_training_is_evaluated_when_nothing_is_said(root: Path, capsys: Capture) -> None:
    assert main(["--root", str(root), "--json", "--words", "50"]) == 0
    *progress, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert progress[-1]["done"] == progress[-1]["total"]
    assert {line["stage"] for line in progress} == {"evaluate"}
    assert last["finished"]["documents"] == 3
    assert last["finished"]["verdict"].startswith("On your text Foretype now saves ")


def test_files_and_models_can_be_named(root: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "letters.txt").write_text(SHORT.replace("\n", "\n\n"))
    models = ["--model", "personal", "--model", str(Catalogue(root).folder("tiny"))]
    assert main(["--root", str(root), *models, str(tmp_path / "letters.txt"), "--full"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split()[0] == "personal"
    assert [line.split("  ")[0] for line in lines[1:4]] == [
        "keystrokes saved with 1 word", "with 3 words offered", "with 5 words offered",
    ]  # fmt: skip
    assert "60 of 60 words typed" in out
    assert err.splitlines()[-1] == "evaluate 100 %"


def test_one_model_has_figures_and_no_difference(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    run = str(tmp_path / "training" / "20260131-235959")
    assert main(["--root", str(root), "--model", "tiny", run, "--words", "50"]) == 0
    out = capsys.readouterr().out
    assert "95 %" in out.splitlines()[0]
    assert "On this text tiny saves " in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "absent"], "no model named 'absent' is installed (installed: personal, tiny)"),
        (["--model", "./absent"], "absent is not a folder"),
        (["--model", "tiny"], "no text to evaluate on: give files or folders"),
        (["--model", "tiny", "nowhere.txt"], "nowhere.txt"),
        (["--model", "tiny", "{tmp}/empty.txt"], "there is no text to evaluate on in"),
        (["--model", "tiny", "{tmp}/short.txt"], "at least 50 are needed"),
        (["--model", "tiny", "{tmp}/held.jsonl"], "line 1 of"),
    ],
)
def test_errors_are_one_line(
    root: Path, tmp_path: Path, capsys: Capture, arguments: list[str], said: str
) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "short.txt").write_text("A few words are not enough to measure anything.")
    (tmp_path / "held.jsonl").write_text("nonsense\n")
    arguments = [argument.format(tmp=tmp_path) for argument in arguments]
    assert main(["--root", str(root), "--json", *arguments]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert said in json.loads(line)["error"]
    assert main(["--root", str(root), *arguments]) == 1
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines()[-1:])) == ("", 1)
    assert said in err.splitlines()[-1]


def test_a_model_trained_from_scratch_is_evaluated_alone(root: Path) -> None:
    catalogue = Catalogue(root)
    folder = catalogue.folder("personal")
    card = json.loads((folder / "card.json").read_bytes())
    seal(folder, {**card, "trained": {"base": None}})
    found = find([], catalogue)
    assert (found.folders, found.names) == ((folder,), ("personal",))
    assert found.run == root.parent / "training" / "20260131-235959"


def test_the_model_it_was_trained_from_must_be_there(root: Path, capsys: Capture) -> None:
    Catalogue(root).remove("tiny")
    assert main(["--root", str(root)]) == 1
    assert "was trained from 'tiny', which is not installed any more" in capsys.readouterr().err


def test_without_a_training_there_is_nothing_to_evaluate(root: Path, capsys: Capture) -> None:
    Catalogue(root).remove("personal")
    assert main(["--root", str(root), "some.txt"]) == 1
    assert "make one with `foretype train`" in capsys.readouterr().err
