#!/usr/bin/env python3
"""variants.py FILE [NAME...]: writes FILE, a CSV of configs with the counts that transformers has for them.

Every config of bases.json (or the named ones) is written as it stands and with one key at a time changed: doubled,
flipped, removed, null, set where the type does not know it, or spelled as in older files; then with seeded pairs of such
changes. Rows that transformers refuses have its error instead of counts.
"""

import copy
import csv
import json
import random
import sys
from pathlib import Path

import reference

SECTIONS = ("text_config", "vision_config", "attn_config", "ffn_config", "perceiver_config", "linear_attn_config")
LAYER_COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
PAIRS = 2  # per base

# Types that this program refuses: one row each holds that they are.
REFUSED = (
    """aya_vision bart biogpt bitnet cwm diffllama exaone exaone_moe gpt_neox_japanese hy_v3 idefics idefics2 idefics3
internvl jetmoe llava_next llava_onevision longcat_flash mimo_v2_flash mllama nanochat olmo_hybrid openai-gpt paligemma
recurrent_gemma rwkv smolvlm solar_open vaultgemma xglm zamba2""".split()
)

# Values worth trying for keys whose doubled value says little.
VALUES = {
    "vocab_size": [265],
    "num_attention_heads": [3, 12],
    "num_key_value_heads": [1, 3, 6],
    "num_kv_heads": [1, 3, 6],
    "kv_n_heads": [1, 6],
    "num_experts_per_tok": [1, 3],
    "first_k_dense_replace": [0, 2, 4],
    "num_dense_layers": [0, 2],
    "n_shared_experts": [0, 2],
    "num_shared_experts": [0, 3],
    "num_nextn_predict_layers": [0, 2],
    "decoder_sparse_step": [2, 3],
    "interleave_moe_layer_step": [1, 3],
    "mlp_only_layers": [[0], [1, 3]],
    "moe_layer_start_index": [0, 2],
    "moe_layer_end_index": [2, -1],
    "moe_layer_interval": [2],
    "moe_layer_freq": [2],
    "full_attention_interval": [2],
    "word_embed_proj_dim": [48],
    "feed_forward_proj": ["gated-silu", "gated-gelu", "relu", "gelu"],
    "hybrid_override_pattern": ["M*-E", "MMMM", "*-*-", "MEM*EM"],
    "hidden_act": ["gelu"],
    "activation_function": ["gelu", "relu", "swiglu"],
    "expert_layer_period": [1, 4],
    "attn_layer_period": [4],
    "attn_layer_offset": [2],
    "attn_layer_indices": [[], [0, 3]],
    "n_inner": [200],
    "sliding_window": [32],
    "sliding_window_pattern": ["LLLG", 2],
    "num_ln_in_parallel_attn": [1],
    "num_kv_shared_layers": [2],
    "hidden_size_per_layer_input": [12],
    "q_lora_rank": [56],
}

# Keys left as they are, because transformers does not follow what the published models of the type do: its MPT has no
# biases, no learned positions and networks of four times the width only; its T5 ties the head even where the published
# head is separate; its MiniMax overlooks the list of layers of the published config.
UNVARIED = {
    "mpt": {"no_bias", "expansion_ratio", "attn_config"},
    "t5": {"tie_word_embeddings"},
    "mt5": {"tie_word_embeddings"},
    "umt5": {"tie_word_embeddings"},
}

# Keys that files of other types carry: a class that does not know one must not be thought to obey it.
FOREIGN = {
    "attention_bias": True,
    "mlp_bias": True,
    "bias": True,
    "qkv_bias": True,
    "use_bias": True,
    "head_dim": 40,
    "num_key_value_heads": 1,
    "tie_word_embeddings": True,
    "use_qk_norm": True,
    "qk_layernorm": True,
    "n_shared_experts": 1,
    "num_nextn_predict_layers": 1,
    "num_experts": 4,
    "sliding_window": 32,
    "intermediate_size": 144,
    "mtp_num_hidden_layers": 1,
}

# Older spellings and combinations that files of one type have; None takes the key away.
COMBINATIONS = [
    ("gpt2", {"n_ctx": 128}),
    ("gpt2", {"hidden_size": 48, "num_hidden_layers": 2}),
    ("gpt2", {"add_cross_attention": True}),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}),
    ("bloom", {"hidden_size": None, "n_embed": 96}),
    ("bloom", {"hidden_size": None, "n_embed": 96, "num_attention_heads": 6, "n_head": None}),
    ("bloom", {"n_layer": None, "num_hidden_layers": 2}),
    ("falcon", {"new_decoder_architecture": False, "multi_query": True, "num_ln_in_parallel_attn": None}),
    ("falcon", {"new_decoder_architecture": False, "multi_query": False, "num_ln_in_parallel_attn": None}),
    ("falcon", {"new_decoder_architecture": False, "multi_query": False, "parallel_attn": False}),
    ("falcon", {"new_decoder_architecture": False, "multi_query": True, "parallel_attn": False, "bias": True}),
    (
        "falcon",
        {
            "num_attention_heads": None,
            "n_head": 6,
            "num_hidden_layers": None,
            "n_layer": 4,
            "n_head_kv": 2,
            "num_kv_heads": None,
        },
    ),
    ("falcon", {"ffn_hidden_size": None}),
    ("falcon", {"ffn_hidden_size": None, "alibi": True, "new_decoder_architecture": False, "multi_query": False}),
    ("qwen3_moe", {"num_experts": None, "num_local_experts": 8}),
    ("mixtral", {"num_local_experts": None, "num_experts": 8}),
    ("gpt_oss", {"num_experts_per_tok": None, "experts_per_token": 2}),
    ("glm4_moe_lite", {"mlp_layer_types": None, "first_k_dense_replace": 2}),
    ("glm_moe_dsa", {"mlp_layer_types": None, "first_k_dense_replace": 2}),
    ("glm_moe_dsa", {"indexer_types": ["full", "shared", "full", "shared"]}),
    (
        "deepseek_v3",
        {"q_lora_rank": None, "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32}},
    ),
    ("granitemoehybrid", {"layer_types": None, "layers_block_type": ["mamba", "attention", "mamba", "mamba"]}),
    ("granitemoehybrid", {"num_local_experts": 0, "num_experts_per_tok": 0}),
    ("granitemoehybrid", {"num_local_experts": 0, "num_experts_per_tok": 0, "layer_types": ["attention"] * 4}),
    ("granitemoehybrid", {"layer_types": ["attention"] * 4}),
    ("granitemoehybrid", {"layer_types": ["linear_attention", "full_attention"] * 2}),
    ("gemma4_text", {"enable_moe_block": False, "attention_k_eq_v": False}),
    ("gemma4_text", {"num_kv_shared_layers": 2, "use_double_wide_mlp": True, "enable_moe_block": False}),
    ("gemma3_text", {"sliding_window_pattern": 3}),
    ("lfm2", {"block_auto_adjust_ff_dim": True, "block_multiple_of": 16, "block_ffn_dim_multiplier": 1.0}),
    ("lfm2", {"block_auto_adjust_ff_dim": True, "block_multiple_of": 32, "block_ffn_dim_multiplier": 1.5}),
    ("lfm2", {"layer_types": None, "full_attn_idxs": [1, 3]}),
    ("lfm2", {"tie_word_embeddings": None, "tie_embedding": False}),
    ("lfm2", {"intermediate_size": None, "block_ff_dim": 160}),
    ("lfm2_moe", {"layer_types": None, "full_attn_idxs": [1, 3]}),
    ("minimax_m2", {"attn_type_list": [1, 1, 1, 1], "use_mtp": True, "num_mtp_modules": 3}),
    ("opt", {"word_embed_proj_dim": 48, "do_layer_norm_before": False, "_remove_final_layer_norm": True}),
    ("nemotron_h", {"hybrid_override_pattern": "MEM*EM-E", "num_hidden_layers": 8}),
    ("nemotron_h", {"hybrid_override_pattern": "ME*E", "moe_latent_size": 32}),
    ("nemotron_h", {"hybrid_override_pattern": None, "layers_block_type": ["mamba", "moe", "attention", "mlp"]}),
    (
        "hunyuan_v1_moe",
        {"moe_topk": [2, 2, 2, 2], "moe_intermediate_size": [40, 40, 40, 40], "num_shared_expert": [1, 1, 1, 1]},
    ),
    ("llama4_text", {"moe_layers": [0, 2]}),
    ("smollm3", {"no_rope_layers": [1, 1, 1, 0]}),
    ("phi3", {"partial_rotary_factor": 0.5, "rope_scaling": None}),
    ("cohere2", {"layer_types": None, "sliding_window_pattern": 2}),
    ("ernie4_5_moe", {"moe_layer_start_index": 1, "moe_layer_end_index": 2}),
    ("gpt_neo", {"attention_types": [[["global"], 4]]}),
    ("gpt_neox", {"use_parallel_residual": False, "attention_bias": False}),
    ("stablelm", {"qk_layernorm": True, "use_parallel_residual": True}),
    ("t5", {"feed_forward_proj": "gated-gelu", "num_decoder_layers": None}),
    ("qwen3_5_text", {"layer_types": ["full_attention", "linear_attention"] * 2}),
    ("llava", {"text_config": {"model_type": "llama", "vocab_size": 272}}),
    (
        "mistral3",
        {
            "text_config": {
                "model_type": "ministral3",
                "hidden_size": 96,
                "num_hidden_layers": 2,
                "num_attention_heads": 6,
                "num_key_value_heads": 2,
                "head_dim": 24,
                "intermediate_size": 200,
                "vocab_size": 264,
            }
        },
    ),
]


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def changed(config, path, value, remove=False):
    """A copy with the value at this path of keys set, or the key removed."""
    result = copy.deepcopy(config)
    section = result
    for key in path[:-1]:
        section = section[key]
    if remove:
        del section[path[-1]]
    else:
        section[path[-1]] = value
    return result


def tried_values(key, value):
    if key in VALUES:
        return VALUES[key]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [2 * value]
    return []


def fit_lists(section, layers):
    """Layer lists as long as the new count of layers."""
    return {
        key: value[:layers] if isinstance(value, list) and key.endswith("_types") else value
        for key, value in section.items()
    }


def layer_list_changes(path, value):
    """Permutations of a list that gives each layer a kind."""
    kinds = sorted(set(value))
    yield path, value[::-1]
    for kind in kinds:
        yield path, [kind] * len(value)
    yield path, value[:-1]


def single_changes(config, prefix=()):
    """Names and configs, each with one key changed."""
    unvaried = UNVARIED.get(config["model_type"], set())
    section = config
    for key in prefix:
        section = section[key]
    for key, value in section.items():
        path = prefix + (key,)
        label = ".".join(path)
        if key == "model_type" or key in unvaried or isinstance(value, float):
            continue
        if key in SECTIONS and isinstance(value, dict):
            yield from single_changes(config, path)
            continue
        if key in LAYER_COUNTS:
            fitted = dict(fit_lists(section, 2), **{key: 2})
            yield f"{label}=2", changed(config, prefix, fitted) if prefix else fitted
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            for list_path, items in layer_list_changes(path, value):
                yield f"{label}={compact(items)}", changed(config, list_path, items)
        else:
            for tried in tried_values(key, value):
                if tried != value:
                    yield f"{label}={compact(tried)}", changed(config, path, tried)
        if value is not None:
            yield f"{label}=null", changed(config, path, None)
        yield f"-{label}", changed(config, path, None, remove=True)


def foreign_changes(config):
    prefix = ("text_config",) if "text_config" in config else ()
    section = config["text_config"] if prefix else config
    for key, value in FOREIGN.items():
        if key not in section and key not in UNVARIED.get(config["model_type"], ()):
            yield f"{'.'.join(prefix + (key,))}={compact(value)}", changed(config, prefix + (key,), value)


def combination_changes(name, config):
    for base, changes in COMBINATIONS:
        if base == name:
            varied = {
                key: value for key, value in {**config, **changes}.items() if value is not None or key not in changes
            }
            yield " ".join(f"{key}={compact(value)}" for key, value in changes.items()), varied


def merged(base, first, second):
    """Both changes at once, or None where they touch the same key."""
    result = copy.deepcopy(first)
    for key in sorted({*base, *second}):
        if base.get(key, key) == second.get(key, key) and (key in base) == (key in second):
            continue
        if first.get(key, key) != base.get(key, key) or (key in first) != (key in base):
            return None
        if key in second:
            result[key] = second[key]
        else:
            result.pop(key)
    return result


def pair_changes(config, singles, generator):
    for _ in range(PAIRS):
        (first_name, first), (second_name, second) = generator.sample(singles, 2)
        both = merged(config, first, second)
        if both is not None:
            yield f"{first_name} {second_name}", both


def variants(name, config):
    if name in REFUSED:
        yield "base", config
        return
    singles = list(single_changes(config)) + list(foreign_changes(config))
    generator = random.Random(name)
    yield "base", config
    yield from singles
    yield from combination_changes(name, config)
    yield from pair_changes(config, singles, generator)


def rows(name, config):
    """Rows of one base. A null is left out where transformers refuses it or counts as without the key."""
    seen, nulls = set(), {}
    for change, varied in variants(name, config):
        text = compact(varied)
        if text in seen:
            continue
        seen.add(text)
        row = (f"{name}: {change}", config["model_type"], text, *reference.count(varied))
        if change.endswith("=null") and " " not in change:
            nulls[change.removesuffix("=null")] = row
            continue
        null = nulls.pop(change[1:], None) if change.startswith("-") else None
        if null is not None and null[3] is not None and null[3:5] != row[3:5]:
            yield null
        yield row


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    bases = json.loads(reference.BASES.read_text())
    with open(arguments[0], "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "family", "config", *reference.Count._fields))
        for name in arguments[1:] or bases:
            writer.writerows(rows(name, bases[name]))


if __name__ == "__main__":
    main(sys.argv[1:])
