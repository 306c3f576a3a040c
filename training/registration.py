"""From trained weights to a model the editor can use: merged, exported, checked, sealed."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import torch

from model.bundle import Bundle, load_bundle, seal
from model.checkpoint import Checkpoint
from model.gpt import GPT
from model.session import Session
from training.export import ExportError, compare, export, reference_ids
from training.float_weights import write_float_weights
from training.lora import LoraLinear, adapter_of

if TYPE_CHECKING:
    from pathlib import Path

    from model.tokenizer import Tokenizer
    from training.loop import Report

MOST_DIVERGENCE_NATS = 0.03  # between torch in float32 and the 8-bit graph
COMPARED_TOKENS = 256


def trained_checkpoint(gpt: GPT, base: Checkpoint | None) -> Checkpoint:
    """The weights after training, in float32; adapters merged into those of `base`."""
    if base is not None and any(isinstance(module, LoraLinear) for module in gpt.modules()):
        return adapter_of(gpt).merged_into(base)
    return Checkpoint(
        gpt.config, {name: w.float().cpu().numpy() for name, w in gpt.state_dict().items()}
    )


def build_bundle(
    checkpoint: Checkpoint,
    tokenizer: Tokenizer,
    folder: Path,
    origin: dict[str, Any],
    report: Report,
    **notes: Any,
) -> Bundle:
    """Write a model folder of `checkpoint` and check that it computes what torch does.

    `notes` go on its card.

    Raises:
        ExportError: it does not.
    """

    def progress(stage: str, done: int, total: int) -> None:
        report(stage, done=done, total=total, message="")

    folder.mkdir()
    write_float_weights(checkpoint, folder)
    bundle = export(checkpoint, tokenizer, folder, origin=origin, notes=notes, progress=progress)
    report("check", done=0, total=1, message="")
    divergence = divergence_from_torch(checkpoint, bundle, tokenizer)
    if divergence > MOST_DIVERGENCE_NATS:
        raise ExportError(
            f"the exported model differs from the trained one: mean KL {divergence:.3f} nats, at "
            f"most {MOST_DIVERGENCE_NATS} is allowed; please report this"
        )
    report("check", done=1, total=1, message=f"mean KL to torch {divergence:.4f} nats")
    return seal(folder, {**bundle.card, "divergence_from_torch_nats": divergence})


@torch.no_grad()
def divergence_from_torch(checkpoint: Checkpoint, bundle: Bundle, tokenizer: Tokenizer) -> float:
    """Mean KL divergence in nats of the bundle's predictions from the float32 model's."""
    count = min(COMPARED_TOKENS, checkpoint.config.context_tokens)
    ids = reference_ids(tokenizer, count)
    gpt = GPT.from_weights(checkpoint.config, checkpoint.weights).eval()
    expected = gpt(torch.tensor([ids]))[0][0].numpy()
    del gpt
    gc.collect()
    session = Session(bundle, context_tokens=len(ids))
    found = session.cache().extend(ids[: session.context_tokens], rows="all")
    return compare(expected[: len(found)], found, ids[: len(found)])["divergence_nats"]


def annotate(folder: Path, **notes: Any) -> Bundle:
    """Add notes to a model's card."""
    return seal(folder, {**load_bundle(folder).card, **notes})
