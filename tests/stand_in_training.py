"""A child process that speaks as `python -m training.train` does, at a pace the test decides.

`stand_in_training.py corpus|train ARGUMENTS…`: the arguments are those of the real programs.  The
environment variable STAND_IN says how it goes: "ok", "slow" (until it is stopped), "unreadable" or
"empty" (texts), "fail", "crash" or "killed" (training).  What it publishes is the model folder
STAND_IN_MODEL.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn


def say(**said: object) -> None:
    print(json.dumps(said), flush=True)


def corpus() -> None:
    say(stage="corpus", done=0, total=0, message="letters.txt")
    how = os.environ.get("STAND_IN", "ok")
    if how == "unreadable":
        say(error="no such folder: letters")
        sys.exit(1)
    left_out = [{"what": "photo.png", "why": "not a text", "count": 1},
                {"what": "lines", "why": "repeated in many texts", "count": 230}]  # fmt: skip
    samples = [{"text": "Dear Ann, the pavlova was great.", "source": "/a/ann.txt"},
               {"text": "Ring the bell, Anneke.", "source": "/a/bell.txt"}]  # fmt: skip
    say(finished={
        "files": 14, "documents": 0 if how == "empty" else 12, "words": 48_213, "seconds": 420,
        "left_out": left_out, "samples": samples, "advice": ["This is little text."],
    })  # fmt: skip


def stopped(*_: object) -> NoReturn:
    say(stage="train", done=1, total=1, message="saved")
    sys.exit(130)


def train() -> None:
    parser = argparse.ArgumentParser()
    for option in ("--root", "--base", "--name", "--run", "--author"):
        parser.add_argument(option)
    arguments, _ = parser.parse_known_args(sys.argv[2:])
    signal.signal(signal.SIGTERM, stopped)
    how, steps = os.environ.get("STAND_IN", "ok"), 10
    done = Path(arguments.run) / "done"
    first = int(done.read_text()) if done.exists() else 0
    say(stage="corpus", files=14, documents=12, words=48_213, tokens=60_000, left_out=[])
    for step in range(first + 1, steps + 1):
        held = {"held_perplexity": 40 - 1.2 * step} if step % 2 else {}
        figures = {"step": step, "steps": steps, "loss": 3.6 - 0.03 * step, **held,
                   "tokens_per_second": 310.0, "seconds_left": 60.0 * (steps - step)}  # fmt: skip
        say(stage="train", **figures)
        with (Path(arguments.run) / "log.jsonl").open("a") as log:
            log.write(json.dumps(figures) + "\n")
        done.write_text(str(step))
        if step == 4 and how == "fail":
            say(error="the disk is full; make room")
            sys.exit(1)
        if step == 4 and how == "crash":
            raise RuntimeError("a mistake")
        if step == 4 and how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(1 if how == "slow" else 0)
    for stage in ("merge", "export", "check", "evaluate", "publish"):
        say(stage=stage, done=0, total=1, message="")
    finish(arguments.root, arguments.name, Path(arguments.run))


def finish(root: str, name: str, run: Path) -> None:
    from model.catalogue import Catalogue

    catalogue = Catalogue(Path(root))
    with catalogue.staging(name) as work:
        staged = Path(shutil.copytree(os.environ["STAND_IN_MODEL"], work / "bundle"))
        folder = catalogue.publish(name, staged)
    before = {"figures": {"saved_3": {"value": 0.35}, "perplexity": {"value": 40.2}}}
    after = {"figures": {"saved_3": {"value": 0.412}, "perplexity": {"value": 28.1}}}
    result = {"name": name, "version": folder.name, "folder": str(folder), "seconds": 565,
              "before": before, "after": after, "verdict": VERDICT}  # fmt: skip
    (run / "result.json").write_text(json.dumps(result))
    say(finished=result)


VERDICT = (
    "On your text Foretype now saves 41.2 % of keystrokes, before 35.0 %; the difference is real "
    "(95 %: +4.0 to +8.4 points)."
)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    corpus() if sys.argv[1] == "corpus" else train()
