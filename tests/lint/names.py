"""Names of frameworks, model families and products are data. In code they may stand only where outside formats are
read or written; everywhere else the code speaks of blocks, profiles and systems."""

import re

import repository
from repository import Finding

FRAMEWORKS = (
    "accelerate-fsdp arctic-training axolotl colossalai deepspeed hf-trainer litgpt llama-factory llm-foundry llmq "
    "maxtext megatron nemo open-lm peft surogate swift torchtitan torchtune unsloth xtuner"
).split()
FAMILIES = (
    "bloom deepseek falcon gemma glm gpt-?2 gpt-?neox? gpt-?oss granite jamba kimi llama minimax ministral mistral mixtral "
    "mpt nemotron olmo phi-?[0-9] qwen smollm"
).split()
PRODUCTS = (
    "a100 b200 b300 gb200 gb300 gh200 h100 h200 h20 h800 a800 a10g? l4 l40s? mi250x? mi300[ax]? mi325x mi355x "
    "rtx[ _-]?[0-9]+ t4 v100 dgx hgx"
).split()

ALLOWED_PLACES = (
    "src/model/families/",  # one file per family: config.json -> Arch
    "src/job/readers/",  # other tools' job files -> Job
    "src/launch/",  # Plan -> other tools' job files
    "src/model/resolve.",  # names of models as people write them
    "src/model/harmless_keys.cpp",  # keys of config.json as they are written there
)

# A name starts a word, or a hump of a CamelCase word (kH100Peak).
NAMES = re.compile(
    rf"(?:(?<![A-Za-z0-9])|(?<=[a-z])(?=[A-Z]))((?i:{'|'.join(FRAMEWORKS + FAMILIES + PRODUCTS)}))(?![a-z])"
)
SOURCE_LINE = re.compile(r"^\s*///? Source:")


def is_exempt(path):
    return not repository.is_cpp(path) or repository.is_test_source(path) or path.startswith(ALLOWED_PLACES)


def check(root):
    findings = []
    for path in repository.files(root, "src"):
        if is_exempt(path):
            continue
        for number, line in enumerate((repository.text(root, path) or "").splitlines(), 1):
            found = None if SOURCE_LINE.match(line) else NAMES.search(line)
            if found:
                findings.append(Finding(path, number, f"the name '{found.group(1)}' belongs in data (tests/lint/names.py)"))
    return findings
