"""The training loop: teacher forcing over windows, accumulated, clipped, scheduled, resumable.

One step predicts every next token of a batch at once and lowers the mean loss over all of them,
whatever the micro-batch.  The data of a step follow from its number, and everything else that the
rest of a run depends on is in its checkpoint, so that a killed run ends like an unbroken one.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor, nn

from training.memory_limit import is_out_of_memory
from training.schedule import build_optimiser, learning_rate
from training.windows import Batch

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.gpt import GPT
    from training.device import Device
    from training.parallel import Group
    from training.run_folder import RunFolder
    from training.settings import TrainSettings
    from training.windows import Windows

CHECKPOINT_SECONDS = 60.0
CHECKPOINT_SHARE = 0.05  # of the time, at most, goes into writing checkpoints


def within_documents(documents: Tensor) -> Tensor:
    """The mask (B, 1, T, T) under which a token sees those before it in its own document.

    `documents` (B, T) numbers them.  A message is then learnt as it will be written: on a page
    that nothing comes before.
    """
    T = documents.shape[1]
    same = documents[:, None, :, None] == documents[:, None, None, :]
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


class Interrupted(Exception):
    """The run was asked to end, and its checkpoint is written."""


class OutOfMemory(RuntimeError):
    """Not even one window at a time fits."""


class Report(Protocol):
    """What is told of a step: a stage and its figures."""

    def __call__(self, stage: str, **figures: Any) -> None:
        """Tell the figures of `stage`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a training ended; losses are held-out means in nats a token."""

    steps: int
    best_step: int
    tokens: int
    seconds: float
    loss_before: float
    loss_after: float
    stopped_early: bool


class Trainer:
    """One run over `train`, judged on `held`; afterwards `gpt` holds the best weights it had."""

    def __init__(
        self,
        gpt: GPT,
        train: Windows,
        held: Windows,
        settings: TrainSettings,
        *,
        device: Device,
        folder: RunFolder,
        group: Group,
        report: Report,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.gpt, self.train, self.held, self.settings = gpt, train, held, settings
        self.device, self.folder, self.group = device, folder, group
        self.report, self.is_stopped = report, is_stopped
        self.micro = min(settings.micro_windows, group.share(settings.batch_windows))
        self.steps = max(1, round(settings.epochs * train.per_epoch / settings.batch_windows))
        # Fused kernels are fastest without a mask, which one text alone does not need.
        self.separates = max(train.documents, held.documents) > 1
        gpt.recompute = settings.recompute
        self.model: nn.Module = group.wrap(gpt)
        if settings.compile:
            self.model.compile()
        self.optimiser = build_optimiser(gpt, settings)
        self.step, self.tokens, self.seconds = 0, 0, 0.0
        self.recent: deque[float] = deque(maxlen=20)  # seconds of the last steps
        self.losses: list[tuple[int, float]] = []  # (step, held-out loss)
        self.best: dict[str, Tensor] = {}
        self._restore()

    def run(self) -> Outcome:
        """Train to the end, or until the held-out loss has stopped falling.

        Raises:
            Interrupted: `is_stopped` said so; the checkpoint is written.
            OutOfMemory: one window at a time does not fit.
        """
        if not self.losses:
            self._evaluate()
        saved, saving = time.monotonic(), 0.0
        saved_step = self.step
        while self.step < self.steps and not self._is_stuck():
            self._advance()
            stopping = self.group.agree(self.is_stopped())
            waited = time.monotonic() - saved
            if stopping or waited > max(CHECKPOINT_SECONDS, saving / CHECKPOINT_SHARE):
                start = time.monotonic()
                self._save()
                saved, saving = time.monotonic(), time.monotonic() - start
                saved_step = self.step
            if stopping:
                raise Interrupted
        if saved_step != self.step:  # so that no interruption from here on loses the training
            self._save()
        self._load_trained(self.best)
        best_step, best = min(self.losses, key=lambda entry: entry[1])
        return Outcome(
            self.step, best_step, self.tokens, self.seconds,
            self.losses[0][1], best, stopped_early=self.step < self.steps,
        )  # fmt: skip

    def _advance(self) -> None:
        """One step, its report, and an evaluation where one is due."""
        start = time.monotonic()
        rate = learning_rate(self.step, self.steps, self.settings)
        loss, tokens = self._learn(rate)
        self.step += 1
        self.tokens += tokens
        elapsed = time.monotonic() - start
        self.seconds += elapsed
        self.recent.append(elapsed)
        held = self._evaluate() if self._is_evaluation_due() else None
        figures: dict[str, Any] = {
            "step": self.step,
            "steps": self.steps,
            "loss": loss,
            "learning_rate": rate,
            "tokens_per_second": tokens / elapsed,
            "seconds_left": median(self.recent) * (self.steps - self.step),
        }
        if held is not None:
            figures["held_perplexity"] = math.exp(min(held, 700.0))
        if self.group.is_first:
            self.folder.log(figures)
            self.report("train", **figures)

    def _learn(self, rate: float) -> tuple[float, int]:
        """Change the weights once; the mean loss in nats and the number of tokens learnt from."""
        batch = self._batch(self.step)
        mine = batch.part(self.group.part(len(batch.inputs)))
        while True:
            try:
                loss = self._accumulate(mine, batch.target_count)
                break
            except (torch.OutOfMemoryError, RuntimeError) as err:
                if not is_out_of_memory(err):
                    raise
            self._halve()
        nn.utils.clip_grad_norm_(self.gpt.parameters(), self.settings.clip_norm)
        for parameters in self.optimiser.param_groups:
            parameters["lr"] = rate
        self.optimiser.step()
        self.optimiser.zero_grad()
        return self.group.total(loss) / batch.target_count, batch.target_count

    def _accumulate(self, mine: Batch, count: int) -> float:
        """Gradients of the mean loss over all `count` targets of the step; this part's sum."""
        self.model.train()
        total = 0.0
        for start in range(0, len(mine.inputs), self.micro):
            is_last = start + self.micro >= len(mine.inputs)
            with contextlib.nullcontext() if is_last else self.group.without_sync(self.model):
                loss = self._summed_loss(mine.part(slice(start, start + self.micro)))
                # The group averages gradients; together they are to be a mean over all targets.
                (loss * (self.group.size / count)).backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        return total

    def _summed_loss(self, batch: Batch) -> Tensor:
        where = self.device.torch
        ids, wanted, documents = (torch.from_numpy(a).to(where, non_blocking=True) for a in batch)
        mask = within_documents(documents) if self.separates else None
        with torch.autocast(where.type, torch.bfloat16, enabled=self.settings.half):
            _, loss = self.model(ids, wanted, mask=mask)
        summed: Tensor = loss * batch.target_count
        return summed

    def _batch(self, step: int) -> Batch:
        """The windows of one step: the epochs, end to end, cut into equal batches."""
        first, missing = step * self.settings.batch_windows, self.settings.batch_windows
        batches = []
        while missing:
            epoch, start = divmod(first, self.train.per_epoch)
            batches.append(self.train.batch(epoch, start, missing))
            read = len(batches[-1].inputs)
            first, missing = first + read, missing - read
        return Batch.joined(batches)

    def _halve(self) -> None:
        """Go on with half the micro-batch; the step begins again with no gradients."""
        self.optimiser.zero_grad()
        if self.device.is_cuda:
            torch.cuda.empty_cache()
        if self.micro == 1:
            raise OutOfMemory(
                f"one window of {self.settings.window_tokens} tokens does not fit into memory; "
                "use shorter windows (--window), --recompute, or close other programs"
            )
        self.micro //= 2
        self.report("memory", micro_windows=self.micro)

    def _evaluate(self) -> float:
        """The held-out loss now, kept; the weights too, if none were better."""
        loss = self.held_loss()
        if not self.losses or loss < min(entry[1] for entry in self.losses):
            self.best = {name: w.detach().clone() for name, w in self._trained().items()}
        self.losses.append((self.step, loss))
        return loss

    @torch.no_grad()
    def held_loss(self) -> float:
        """Mean loss in nats a token over the held-out windows."""
        self.model.eval()
        batch = self.held.batch(0, 0, self.settings.held_windows)
        mine = batch.part(self.group.part(len(batch.inputs)))
        total = 0.0
        for start in range(0, len(mine.inputs), self.micro):
            total += self._summed_loss(mine.part(slice(start, start + self.micro))).item()
        return self.group.total(total) / batch.target_count

    def _is_evaluation_due(self) -> bool:
        every = max(1, round(self.steps / self.settings.evaluations))
        return self.step % every == 0 or self.step == self.steps

    def _is_stuck(self) -> bool:
        """Whether the last evaluations brought nothing better."""
        best = min(range(len(self.losses)), key=lambda i: self.losses[i][1])
        return len(self.losses) - 1 - best >= self.settings.patience

    def _trained(self) -> dict[str, Tensor]:
        return {name: p for name, p in self.gpt.named_parameters() if p.requires_grad}

    @torch.no_grad()
    def _load_trained(self, weights: dict[str, Tensor]) -> None:
        for name, parameter in self._trained().items():
            parameter.copy_(weights[name])

    def _save(self) -> None:
        if not self.group.is_first:
            return
        self.folder.save_state(
            {
                "trained": {name: p.detach() for name, p in self._trained().items()},
                "best": self.best,
                "optimiser": self.optimiser.state_dict(),
                "progress": [self.step, self.tokens, self.seconds, self.micro],
                "losses": self.losses,
            }
        )

    def _restore(self) -> None:
        state = self.folder.load_state(self.device.torch)
        if state is None:
            return
        self._load_trained(state["trained"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.best, self.losses = state["best"], [tuple(entry) for entry in state["losses"]]
        self.step, self.tokens, self.seconds, self.micro = state["progress"]
