"""GPT-2- and Llama-family models of others: installed, run, and fine-tuned like our own."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import model_hub
import numpy as np
import pytest
import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from app.installing import run_install
from model.catalogue import Catalogue
from model.predictor import load_predictor
from model.session import Session
from training import train
from training.evaluation import __main__ as evaluation
from training.install import install

if TYPE_CHECKING:
    from collections.abc import Callable

    from transformers import PreTrainedModel

PARAGRAPHS = (Path(__file__).parents[1] / "assets" / "sample.txt").read_text("utf-8").split("\n\n")
END = "<|endoftext|>"
SHARD_BYTES = 110_000
FAMILIES = ("gpt2", "llama")


def reference(family: str) -> PreTrainedModel:
    """Learned positions, biases and tied weights; or grouped queries and an output of its own."""
    torch.manual_seed(3)
    if family == "gpt2":
        return GPT2LMHeadModel(
            GPT2Config(
                vocab_size=400, n_positions=48, n_embd=32, n_layer=2, n_head=2,
                bos_token_id=0, eos_token_id=0, initializer_range=0.3,
            )
        )  # fmt: skip
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=400, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=48,
            tie_word_embeddings=False, bos_token_id=0, eos_token_id=0, initializer_range=0.3,
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A family's model as its makers publish it: GPT-2's in one file, Llama's in shards."""
    root = tmp_path_factory.mktemp("foreign")

    @cache
    def folder(family: str) -> Path:
        place = root / f"tiny-{family}"
        shard = "1GB" if family == "gpt2" else SHARD_BYTES
        reference(family).save_pretrained(place, max_shard_size=shard)
        (place / "generation_config.json").unlink()
        tokenizer = ByteLevelBPETokenizer()
        tokenizer.train_from_iterator(
            PARAGRAPHS[:200], vocab_size=400, special_tokens=[END], show_progress=False
        )
        if family == "gpt2":
            tokenizer.save_model(str(place))  # vocab.json and merges.txt
        else:
            tokenizer.save(str(place / "tokenizer.json"))
        return place

    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "models"


def silent(stage: str, done: int, total: int, message: str = "") -> None:
    """No report."""


def install_float(source: Path, root: Path) -> Path:
    return install(str(source), root, silent, precision="float")[1]


@torch.no_grad()
def expected_logits(family: str, ids: list[int]) -> np.ndarray:
    return reference(family).eval()(torch.tensor([ids])).logits[0].numpy()


@pytest.mark.parametrize("family", FAMILIES)
def test_an_installed_folder_computes_what_its_own_library_does(
    folder_of: Callable[[str], Path], root: Path, family: str
) -> None:
    source = folder_of(family)
    assert (len(list(source.glob("*.safetensors"))) > 1) is (family == "llama")
    folder = install_float(source, root)
    predictor = load_predictor(folder)
    ids = predictor.tokenizer.encode(PARAGRAPHS[1])[:48]
    found = Session(Catalogue(root).installed()[0].bundle, context_tokens=48).cache()
    logits = found.extend(ids, rows="all")
    np.testing.assert_allclose(logits, expected_logits(family, ids), atol=1e-4)
    assert predictor.predict("Alice was beginning to ").tokens


@pytest.mark.parametrize("family", FAMILIES)
def test_the_hub_brings_the_same_model(
    folder_of: Callable[[str], Path], root: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = folder_of(family)
    with model_hub.serve(source) as (environment, asked):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        options = ["--precision", "float"]
        folder = run_install(model_hub.REPOSITORY, root, lambda progress: None, options).folder
    fetched = {path.rsplit("/", 1)[1] for path in asked if "/resolve/" in path}
    assert fetched == {path.name for path in source.iterdir()}
    again = install(str(source), root, silent, precision="float", name="from-folder")[1]
    assert (folder / "model.onnx").read_bytes() == (again / "model.onnx").read_bytes()
    assert (folder / "tokenizer.json").read_bytes() == (again / "tokenizer.json").read_bytes()


@pytest.mark.parametrize("method", ["lora", "full"])
@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_fine_tuned_like_our_own(
    folder_of: Callable[[str], Path],
    root: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    family: str,
    method: str,
) -> None:
    base = install_float(folder_of(family), root)
    text = tmp_path / "mine.txt"
    text.write_text("\n\n".join(PARAGRAPHS[:60]), encoding="utf-8")
    options = ["--root", str(root), "--base", base.parent.name, "--method", method, "--json",
               "--device", "cpu", "--epochs", "1", "--window", "48", "--learning-rate", "0.01",
               "--words", "0", "--name", "mine", "--no-compile"]  # fmt: skip
    assert train.main([str(text), *options]) == 0, capsys.readouterr().out
    lines: list[dict[str, Any]] = [json.loads(s) for s in capsys.readouterr().out.splitlines()]
    held = [line["held_perplexity"] for line in lines if "held_perplexity" in line]
    assert held[-1] < held[0]
    assert lines[-1]["finished"]["name"] == "mine"
    trained = load_predictor(Catalogue(root).folder("mine"))
    assert trained.predict("Alice was beginning to ").tokens


def test_a_gpt2_folder_goes_all_the_way(
    folder_of: Callable[[str], Path],
    root: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install_float(folder_of("gpt2"), root)
    text = tmp_path / "mine.txt"
    text.write_text("\n\n".join(PARAGRAPHS[:60]), encoding="utf-8")
    options = ["--root", str(root), "--base", "tiny-gpt2", "--device", "cpu", "--epochs", "1",
               "--window", "48", "--learning-rate", "0.01", "--words", "0", "--name", "mine",
               "--no-compile"]  # fmt: skip
    assert train.main([str(text), *options]) == 0
    capsys.readouterr()
    catalogue = Catalogue(root)
    assert catalogue.selected() == "mine"
    assert evaluation.main(["--root", str(root), "--words", "200", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["finished"]["models"]
    before, after = (model["figures"]["perplexity"]["value"] for model in found)
    assert after < before
    assert load_predictor(catalogue.folder("mine")).predict("Alice was beg").words
    assert catalogue.way_back("mine").name == "tiny-gpt2"
