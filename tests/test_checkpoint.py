import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPT2Model,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
)

from model.checkpoint import Checkpoint, CheckpointError, load_checkpoint
from model.config import PRESETS, weight_shapes
from model.gpt import GPT

GPT2_SHAPE = {"vocab_size": 96, "n_positions": 40, "n_embd": 32, "n_layer": 2, "n_head": 4}
LLAMA_SHAPE = {
    "vocab_size": 96, "max_position_embeddings": 40, "hidden_size": 32, "intermediate_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
}  # fmt: skip
REFERENCES: dict[str, Callable[[], PreTrainedModel]] = {
    "gpt2": lambda: GPT2LMHeadModel(GPT2Config(**GPT2_SHAPE)),
    "gpt2 untied": lambda: GPT2LMHeadModel(GPT2Config(**GPT2_SHAPE, tie_word_embeddings=False)),
    "gpt2 narrow": lambda: GPT2LMHeadModel(
        GPT2Config(**GPT2_SHAPE, n_inner=48, layer_norm_epsilon=1e-3)
    ),
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**LLAMA_SHAPE)),
    "llama tied": lambda: LlamaForCausalLM(LlamaConfig(**LLAMA_SHAPE, tie_word_embeddings=True)),
    "llama one key head": lambda: LlamaForCausalLM(
        LlamaConfig(**{**LLAMA_SHAPE, "num_key_value_heads": 1}, rms_norm_eps=1e-3)
    ),
    "llama wide heads": lambda: LlamaForCausalLM(
        LlamaConfig(**LLAMA_SHAPE, head_dim=12, rope_parameters={
            "rope_type": "default", "rope_theta": 100.0,
        })
    ),
}  # fmt: skip


def random_model(name: str) -> PreTrainedModel:
    """Weights far larger than a new model's, so that a mix-up shows in the logits."""
    torch.manual_seed(2)
    reference = REFERENCES[name]().eval()
    with torch.no_grad():
        for parameter in reference.parameters():
            parameter.normal_(std=0.25)
    return reference


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder that `save_pretrained` writes for a model of REFERENCES; do not change it."""
    folders: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp("reference")
            random_model(name).save_pretrained(folders[name])
        return folders[name]

    return folder


@pytest.fixture
def copy_of(folder_of: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of such a folder, to damage."""
    return lambda name: shutil.copytree(folder_of(name), tmp_path / "copy")


def logits(gpt: GPT | PreTrainedModel) -> torch.Tensor:
    ids = torch.arange(24).reshape(2, 12) * 7 % 96
    with torch.no_grad():
        return gpt(ids)[0]


def assert_same_logits(checkpoint: Checkpoint, reference: PreTrainedModel) -> None:
    ours = logits(GPT.from_weights(checkpoint.config, checkpoint.weights))
    torch.testing.assert_close(ours, logits(reference), atol=1e-4, rtol=0)


def rewrite(folder: Path, change: Callable[[dict[str, np.ndarray]], object]) -> None:
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")


def write_gguf(path: Path, reference: PreTrainedModel, **replace: Any) -> Path:
    """What llama.cpp's convert_hf_to_gguf.py makes of a model, with llama.cpp's own names."""
    c = reference.config
    architecture = c.model_type
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(c.num_hidden_layers)
    writer.add_context_length(c.max_position_embeddings)
    writer.add_embedding_length(c.hidden_size)
    writer.add_head_count(c.num_attention_heads)
    if architecture == "llama":
        writer.add_vocab_size(c.vocab_size)
        writer.add_feed_forward_length(c.intermediate_size)
        writer.add_head_count_kv(c.num_key_value_heads)
        writer.add_key_length(c.head_dim)
        writer.add_value_length(c.head_dim)
        writer.add_rope_dimension_count(c.head_dim)
        writer.add_rope_freq_base(c.rope_parameters["rope_theta"])
        writer.add_layer_norm_rms_eps(c.rms_norm_eps)
    else:
        writer.add_feed_forward_length(c.n_inner or 4 * c.n_embd)
        writer.add_layer_norm_eps(c.layer_norm_epsilon)
    kind = {"llama": gguf.MODEL_ARCH.LLAMA, "gpt2": gguf.MODEL_ARCH.GPT2}[architecture]
    names = gguf.get_tensor_name_map(kind, c.num_hidden_layers)
    quantisation = replace.pop("quantisation", gguf.GGMLQuantizationType.F32)
    for name, parameter in reference.named_parameters():
        weight = parameter.detach().numpy()
        if "q_proj" in name:
            weight = interleave(weight, c.num_attention_heads)
        elif "k_proj" in name:
            weight = interleave(weight, c.num_key_value_heads)
        elif architecture == "gpt2" and ".c_" in name and weight.ndim == 2:
            weight = weight.T
        stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
        weight = replace.pop(stored, weight)
        matrix = quantisation if weight.ndim == 2 else gguf.GGMLQuantizationType.F32
        data = gguf.quantize(np.ascontiguousarray(weight), matrix)
        writer.add_tensor(stored, data, raw_dtype=matrix)
    for stored, weight in replace.items():
        writer.add_tensor(stored, weight)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def interleave(weight: np.ndarray, heads: int) -> np.ndarray:
    """`permute` of llama.cpp's converter."""
    halves = weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:])
    return halves.swapaxes(1, 2).reshape(weight.shape)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_hugging_face_folder_gives_the_logits_of_transformers(
    name: str, folder_of: Callable[[str], Path]
) -> None:
    checkpoint = load_checkpoint(folder_of(name))
    assert_same_logits(checkpoint, random_model(name))
    for weight in checkpoint.weights.values():  # the file is closed, and graphs can use the bytes
        assert weight.dtype == np.float32
        assert weight.flags.owndata
        assert weight.flags.c_contiguous


@pytest.mark.parametrize("name", REFERENCES)
def test_a_gguf_file_gives_the_logits_of_transformers(name: str, tmp_path: Path) -> None:
    reference = random_model(name)
    checkpoint = load_checkpoint(write_gguf(tmp_path / "model.gguf", reference))
    assert_same_logits(checkpoint, reference)
    assert checkpoint.config.tied == reference.config.tie_word_embeddings


def test_both_formats_give_the_same_config(
    folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    for number, name in enumerate(REFERENCES):
        file = write_gguf(tmp_path / f"{number}.gguf", random_model(name))
        assert load_checkpoint(file).config == load_checkpoint(folder_of(name)).config


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_other_precisions_become_float32(dtype: torch.dtype, tmp_path: Path) -> None:
    reference = random_model("llama").to(dtype)
    reference.save_pretrained(tmp_path)
    assert_same_logits(load_checkpoint(tmp_path), reference.float())


def test_a_sharded_folder_is_read_through_its_index(tmp_path: Path) -> None:
    reference = random_model("llama")
    reference.save_pretrained(tmp_path, max_shard_size="40KB")
    shards = sorted(tmp_path.glob("model-*.safetensors"))
    assert len(shards) > 1
    assert_same_logits(load_checkpoint(tmp_path), reference)
    shards[1].unlink()
    with pytest.raises(CheckpointError, match=f"{shards[1].name} is missing"):
        load_checkpoint(tmp_path)


def test_a_model_saved_without_its_head_is_read(tmp_path: Path) -> None:
    reference = random_model("gpt2")
    assert isinstance(reference.transformer, GPT2Model)
    reference.transformer.save_pretrained(tmp_path)
    assert_same_logits(load_checkpoint(tmp_path), reference)


def test_masks_stored_beside_the_weights_of_old_gpt2_files_are_ignored(
    copy_of: Callable[[str], Path],
) -> None:
    folder = copy_of("gpt2")

    def as_published(weights: dict[str, np.ndarray]) -> None:
        for name in list(weights):
            weights[name.removeprefix("transformer.")] = weights.pop(name)
        weights["h.0.attn.bias"] = np.ones((1, 1, 40, 40), np.float32)

    rewrite(folder, as_published)
    assert_same_logits(load_checkpoint(folder), random_model("gpt2"))


def test_a_repeated_output_is_the_tied_embedding(
    copy_of: Callable[[str], Path], tmp_path: Path
) -> None:
    reference = random_model("gpt2")
    embedding = reference.transformer.wte.weight.detach().numpy()
    folder = copy_of("gpt2")
    rewrite(folder, lambda weights: weights.update({"lm_head.weight": embedding}))
    file = write_gguf(tmp_path / "model.gguf", reference, **{"output.weight": embedding})
    for path in (folder, file):
        checkpoint = load_checkpoint(path)
        assert checkpoint.config.tied
        assert_same_logits(checkpoint, reference)
    rewrite(folder, lambda weights: weights.update({"lm_head.weight": embedding + 1}))
    with pytest.raises(CheckpointError, match=r"'lm_head\.weight' differs from the embedding"):
        load_checkpoint(folder)


@pytest.mark.parametrize(("kind", "error"), [("Q8_0", 0.01), ("Q4_1", 0.1), ("BF16", 0.01)])
def test_quantised_gguf_tensors_become_float32(kind: str, error: float, tmp_path: Path) -> None:
    reference = random_model("llama")
    exact = load_checkpoint(write_gguf(tmp_path / "exact.gguf", reference)).weights
    quantisation = gguf.GGMLQuantizationType[kind]
    file = write_gguf(tmp_path / "small.gguf", reference, quantisation=quantisation)
    for name, weight in load_checkpoint(file).weights.items():
        np.testing.assert_allclose(weight, exact[name], atol=error)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda w: w.pop("model.layers.1.mlp.up_proj.weight"),
         "'model.layers.1.mlp.up_proj.weight' is missing; this model needs 21 tensors, "
         "the file has 20"),
        (lambda w: w.pop("lm_head.weight"), "'lm_head.weight' is missing"),
        (lambda w: w.update({"score.weight": np.ones(3, np.float32)}),
         "'score.weight' has no place in this model; this model needs 21 tensors, "
         "the file has 22"),
        (lambda w: w.update({"model.norm.weight": np.ones(31, np.float32)}),
         "'model.norm.weight' has the shape (31,); this model needs (32,)"),
        (lambda w: w.update({"model.norm.weight": np.ones(32, np.int8)}),
         "'model.norm.weight' is stored as I8; it must be of F64, F32, F16, BF16"),
    ],
)  # fmt: skip
def test_a_wrong_tensor_is_named_with_both_numbers(
    change: Callable[[dict[str, np.ndarray]], object],
    message: str,
    copy_of: Callable[[str], Path],
) -> None:
    folder = copy_of("llama")
    rewrite(folder, change)
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(folder)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"blk.1.ffn_norm.weight": np.ones(31, np.float32)},
         "'blk.1.ffn_norm.weight' has the shape (31,); this model needs (32,)"),
        ({"blk.1.attn_q.bias": np.ones(32, np.float32)}, "'blk.1.attn_q.bias' has no place"),
        ({"rope_freqs.weight": np.ones(4, np.float32)}, "scales rotary frequencies"),
        ({"blk.0.ffn_up.weight": np.ones((64, 31), np.float32)},
         "'blk.0.ffn_up.weight' has the shape (64, 31); this model needs (64, 32)"),
    ],
)  # fmt: skip
def test_a_wrong_gguf_tensor_is_named_with_both_numbers(
    tensors: dict[str, np.ndarray], message: str, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(write_gguf(tmp_path / "model.gguf", random_model("llama"), **tensors))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("llama", {"model_type": "mamba"}, "model_type is 'mamba', which Foretype does not "
         "support; it must be 'gpt2' or 'llama'"),
        ("llama", {"hidden_act": "gelu"}, "hidden_act is 'gelu'"),
        ("llama", {"attention_bias": True}, "attention_bias is True"),
        ("llama", {"rope_interleaved": True}, "rope_interleaved is True"),
        ("llama", {"rope_scaling": {"type": "linear", "factor": 2.0}}, "type is 'linear'"),
        ("llama", {"rope_scaling": "yarn"}, "rope_scaling in config.json is 'yarn'"),
        ("llama", {"rope_parameters": {"rope_type": "llama3"}}, "rope_type is 'llama3'"),
        ("llama", {"quantization_config": {"bits": 4}}, "quantization_config is {'bits': 4}"),
        ("llama", {"hidden_size": None}, "hidden_size in config.json is None; it must be"),
        ("llama", {"num_hidden_layers": 10**9}, "1,000,000,000 blocks, but only 21 tensors"),
        ("llama", {"num_key_value_heads": 3}, "kv_heads is 3; it must be a divisor of 4"),
        ("llama", {"vocab_size": 97}, "'model.embed_tokens.weight' has the shape (96, 32); "
         "this model needs (97, 32)"),
        ("gpt2", {"activation_function": "relu"}, "activation_function is 'relu'"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx"),
        ("gpt2", {"n_head": "four"}, "n_head in config.json is 'four'"),
    ],
)  # fmt: skip
def test_a_model_foretype_does_not_have_is_refused_with_the_reason(
    name: str, fields: dict[str, object], message: str, copy_of: Callable[[str], Path]
) -> None:
    folder = copy_of(name)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **fields}))
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(folder)
    assert str(caught.value).startswith(f"{folder}: ")
    assert message in str(caught.value)


def test_a_gguf_of_another_architecture_is_refused(tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "mamba")
    writer.add_tensor("token_embd.weight", np.ones((4, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(CheckpointError, match=r"general\.architecture is 'mamba'"):
        load_checkpoint(tmp_path / "model.gguf")


@pytest.mark.parametrize("content", [b"", b"GGUF", b"PK\x03\x04", b"\0" * 500, b"text " * 100])
def test_foreign_files_are_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    (tmp_path / "model.safetensors").write_bytes(content)
    for path in (file, tmp_path):
        with pytest.raises(CheckpointError, match=r"\A.+\Z"):
            load_checkpoint(path)


@pytest.mark.parametrize("present", [[], ["config.json"], ["model.safetensors"]])
def test_what_a_folder_lacks_is_named(
    present: list[str], folder_of: Callable[[str], Path], tmp_path: Path
) -> None:
    for name in present:
        shutil.copy(folder_of("gpt2") / name, tmp_path)
    missing = "model.safetensors" if "config.json" in present else "config.json"
    with pytest.raises(CheckpointError, match=f"{missing} is missing"):
        load_checkpoint(tmp_path)


def test_a_path_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="nowhere: No such file or directory"):
        load_checkpoint(tmp_path / "nowhere")


@given(st.data())
def test_damage_never_ends_in_another_error(
    tmp_path_factory: pytest.TempPathFactory,
    folder_of: Callable[[str], Path],
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    shutil.copytree(folder_of("gpt2"), folder, dirs_exist_ok=True)
    write_gguf(folder / "model.gguf", random_model("gpt2"))
    name = data.draw(st.sampled_from(["config.json", "model.safetensors", "model.gguf"]))
    content = bytearray((folder / name).read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, min(len(content), 3000) - 1))] = data.draw(
            st.integers(0, 255)
        )
    content = content[: data.draw(st.integers(0, len(content)))]
    (folder / name).write_bytes(content)
    try:
        checkpoint = load_checkpoint(folder / name if name == "model.gguf" else folder)
    except CheckpointError:
        return
    shapes = {name: weight.shape for name, weight in checkpoint.weights.items()}
    assert shapes == weight_shapes(checkpoint.config)


@pytest.mark.skipif("FORETYPE_TEST_GGUF" not in os.environ, reason="no FORETYPE_TEST_GGUF given")
def test_smollm2_continues_a_sentence_sensibly() -> None:
    checkpoint = load_checkpoint(Path(os.environ["FORETYPE_TEST_GGUF"]))
    assert checkpoint.config == PRESETS["smollm2-135m"]
    gpt = GPT.from_weights(checkpoint.config, checkpoint.weights)
    reader = gguf.GGUFReader(os.environ["FORETYPE_TEST_GGUF"])
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    ids = [tokens.index(token) for token in ("The", "Ġcapital", "Ġof", "ĠFrance", "Ġis")]
    with torch.no_grad():
        for _ in range(4):
            ids.append(int(gpt(torch.tensor([ids]))[0][0, -1].argmax()))
    assert "ĠParis" in [tokens[i] for i in ids]
