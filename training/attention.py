"""Where a model looks while it reads: `python -m training.attention FOLDER --json < sentence`.

Runs the reference GPT in torch, in a process of its own: the editor shows the weights and never
imports torch.  One JSON object goes to standard output: `tokens` (bytes in hexadecimal; the first
is end-of-text), `layers`, `heads`, and `weights`, for every layer and head the lower triangle row
by row, in thousandths; or `error`, one line.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from model.bundle import BundleError, load_bundle
from model.checkpoint import CheckpointError
from model.generation_sentence import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import torch

    from model.checkpoint import Checkpoint
    from model.gpt import Attention, Rotation

THOUSANDTHS = 1000


def attention_weights(checkpoint: Checkpoint, ids: Sequence[int]) -> np.ndarray:
    """The share (L, H, T, T) that every token (row) takes from each token up to itself."""
    import torch

    from model.gpt import GPT, Attention

    gpt = GPT.from_weights(checkpoint.config, checkpoint.weights).eval()
    found: list[torch.Tensor] = []
    for module in gpt.modules():
        if isinstance(module, Attention):
            module.register_forward_pre_hook(
                lambda attention, inputs: found.append(_weights(attention, *inputs[:2]))
            )
    with torch.no_grad():
        gpt(torch.tensor([list(ids)]))
    weights: np.ndarray = torch.stack(found).numpy()
    return weights


def _weights(attention: Attention, x: torch.Tensor, by: Rotation | None) -> torch.Tensor:
    """The weights (H, T, T) of one layer: what it gathers when the values are the identity."""
    import torch

    from model.gpt import attend, rotate

    T, K = x.shape[1], attention.kv_heads
    qkv = attention.qkv(x).view(1, T, -1, attention.head_width).transpose(1, 2)
    q, k, _ = qkv.split((attention.heads, K, K), dim=1)  # (1, H or K, T, D)
    if by is not None:
        q, k = rotate(q, by), rotate(k, by)
    return attend(q, k, torch.eye(T).expand(1, K, T, T))[0]


def look(folder: Path, text: str) -> dict[str, object]:
    """What the program prints for one sentence.

    Raises:
        BundleError, CheckpointError: the model cannot be used, and why.
        ImportError: torch is not installed.
    """
    from training.float_weights import read_float_weights

    bundle = load_bundle(folder)
    tokenizer = bundle.tokenizer()
    ids = [tokenizer.end_of_text, *shortened(tokenizer, text)[1]]
    weights = attention_weights(read_float_weights(bundle), ids)
    layers, heads, count, _ = weights.shape
    rounded = (weights * THOUSANDTHS).round().astype(int)
    return {
        "tokens": [tokenizer.token_bytes(token).hex() for token in ids],
        "layers": layers,
        "heads": heads,
        "weights": [
            [
                [number for row in range(count) for number in head[row, : row + 1].tolist()]
                for head in layer
            ]
            for layer in rounded
        ],
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print the weights, or what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m training.attention", description=__doc__)
    parser.add_argument("folder", type=Path, help="an installed model")
    parser.add_argument("--json", action="store_true", help="kept for programs; always the case")
    arguments = parser.parse_args(argv)
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        said = look(arguments.folder, text)
    except ImportError as err:
        said = {"error": f"{err.name} is not installed", "missing": err.name}
    except (BundleError, CheckpointError) as err:
        said = {"error": " ".join(str(err).split())}
    print(json.dumps(said))
    return 1 if "error" in said else 0


if __name__ == "__main__":
    sys.exit(main())
