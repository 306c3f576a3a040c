"""A whole training: texts → tokens → trained weights → a model in the catalogue."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from model.gpt import GPT
from model.tokenizer import Tokenizer
from training import materials, registration
from training.device import choose_device
from training.float_weights import read_float_weights
from training.loop import Outcome, Trainer
from training.lora import adapter_of, add_adapters
from training.page_start import needs_preface
from training.parallel import join_group, local_rank
from training.presets import from_scratch
from training.publishing import Trained, publish
from training.restraint import restrained
from training.windows import TokenFile, Windows

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.bundle import Bundle
    from model.checkpoint import Checkpoint
    from training.loop import Report
    from training.request import Request
    from training.run_folder import RunFolder

LEAST_COMPILED_STEPS = 200  # compiling takes about as long as it saves in so many


class NoGain(ValueError):
    """The training did not help; the models stay as they were."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a training begins with; `base` and `checkpoint` are None from scratch."""

    tokenizer: Tokenizer
    base: Bundle | None
    checkpoint: Checkpoint | None
    gpt: GPT


class Pipeline:
    """The steps of one training in one process, of several under `torchrun`."""

    def __init__(
        self,
        request: Request,
        folder: RunFolder,
        report: Report,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.request, self.folder = request, folder
        self.report, self.is_stopped = report, is_stopped
        self.started = time.monotonic()
        self.device = choose_device(request.device, local_rank())
        self.group = join_group(self.device.torch)
        self.settings = request.settings(self.device)

    def run(self) -> dict[str, Any] | None:
        """Train and publish; what the user is told, or None in processes but the first.

        Raises:
            NoGain, MaterialError, Interrupted, OutOfMemory, ExportError and the errors of
            reading: each with a message for the user.  The catalogue is then as it was.
        """
        start = self._prepare()
        outcome = self._train(start.gpt)
        if not self.group.is_first:
            return None
        if outcome.loss_after >= outcome.loss_before:
            self.folder.begin_again()
            raise NoGain(
                "the training brought nothing: the text held back is expected no better than "
                "before; your models stay as they were (more text helps most)"
            )
        return self._publish(start, outcome)

    def _prepare(self) -> Start:
        """The model, and the tokens in the run folder; a run that goes on has them already."""
        request, folder = self.request, self.folder
        base = None if request.preset else materials.base_bundle(request.base, Path(request.root))
        is_read = folder.held_tokens.is_file()
        if is_read or not self.group.is_first:
            self.group.wait()
            tokenizer = base.tokenizer() if base else Tokenizer.load(folder.tokenizer)
        else:
            texts = materials.read_texts(request, self.report)
            tokenizer = materials.choose_tokenizer(request, base, texts)
            tokenizer.save(folder.tokenizer)
            materials.write_run_tokens(texts, tokenizer, folder, self.report)
            self.group.wait()
        self.report("load", done=0, total=1, message="")
        return self._load(base, tokenizer)

    def _load(self, base: Bundle | None, tokenizer: Tokenizer) -> Start:
        settings = self.settings
        torch.manual_seed(settings.seed)
        if base is None:
            config = from_scratch(str(self.request.preset)).config(tokenizer.vocab_size)
            return Start(tokenizer, None, None, GPT(config))
        checkpoint = read_float_weights(base)
        gpt = GPT.from_weights(checkpoint.config, checkpoint.weights)
        if settings.method == "lora":
            frozen = torch.bfloat16 if settings.half else torch.float32
            add_adapters(gpt, settings.rank, settings.alpha, frozen)
        return Start(tokenizer, base, checkpoint, gpt)

    def _train(self, gpt: GPT) -> Outcome:
        length = min(self.settings.window_tokens, gpt.config.context_tokens)
        train, held = (
            Windows(TokenFile.open(path), length, self.settings.seed)
            for path in (self.folder.train_tokens, self.folder.held_tokens)
        )
        steps = self.settings.epochs * train.per_epoch / self.settings.batch_windows
        pays = self.device.can_compile and steps >= LEAST_COMPILED_STEPS
        chosen = pays if self.request.compile is None else self.request.compile
        outcome = Trainer(
            gpt.to(self.device.torch),
            train,
            held,
            replace(self.settings, window_tokens=length, compile=chosen),
            device=self.device,
            folder=self.folder,
            group=self.group,
            report=self.report,
            is_stopped=self.is_stopped,
        ).run()
        gpt.cpu()
        return outcome

    def _publish(self, start: Start, outcome: Outcome) -> dict[str, Any]:
        request = self.request
        self.report("merge", done=0, total=1, message="")
        checkpoint, strength = registration.trained_checkpoint(start.gpt, start.checkpoint), 1.0
        half = self.settings.half and not self.device.is_cuda
        if start.checkpoint is not None:
            checkpoint, strength = restrained(
                start.checkpoint, checkpoint, start.tokenizer,
                most=request.strength, half=half, report=self.report,
            )  # fmt: skip
        if request.adapter:
            adapter = adapter_of(start.gpt).scaled(strength)
            adapter.save(Path(request.adapter), {"base": request.base})
        self.report("merge", done=1, total=1, message="")
        trained = Trained(
            base=start.base,
            checkpoint=checkpoint,
            tokenizer=start.tokenizer,
            preface=needs_preface(checkpoint, start.tokenizer, self.folder.read_held(), half=half),
            notes={
                "base": request.base if start.base else None,
                "base_version": start.base.folder.name if start.base else None,
                "method": self.settings.method,
                "settings": self.settings.to_dict(),
                **self.folder.corpus,
                "tokens": outcome.tokens,
                "steps": outcome.steps,
                "strength": strength,
                "held_loss_nats": [outcome.loss_before, outcome.loss_after],
            },
        )
        return publish(request, trained, self.folder, self.report, self.started)
