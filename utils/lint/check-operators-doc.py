#!/usr/bin/python3
"""Checks that docs/operators.md says what the onnx dialect declares: operators, versions, element types, rules.

With --write it writes the file instead (`ninja operators-doc`). Skipped, with a message, where llvm-tblgen is missing.
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # the folder may be read-only, and is part of a source tree
from onnx_records import DIALECT, OPERATORS, OWN_OPERATORS, ROOT, find_tblgen, read_operators

DOCUMENT = os.path.join(ROOT, "docs", "operators.md")
IMPORT = os.path.join(ROOT, "frontend", "Import", "Written")
INTRODUCTION = """# Operators

Generated from the onnx dialect by `utils/lint/check-operators-doc.py --write`; do not edit. Models of ai.onnx up to operator set 28
import; older forms of an operator become the newest, whose number is behind its name. What a model must satisfy stands below each; `cameo check`
tells for a model what of it is not supported, and `docs/extending.md` how to bring along what is not here. What holds for all of them:
"""
# The document's names of MLIR's element types.
TYPES = [
    (r"(\d+)-bit float", r"f\1"), (r"bfloat16 type", "bf16"), (r"1-bit signless integer", "bool"), (r"(\d+)-bit signless integer", r"i\1"),
    (r"(\d+)-bit unsigned integer", r"u\1"), (r"complex type with (\d+)-bit float elements", r"complex of f\1"),
    (r"Element type of a tensor of strings", "string"), (r"f8(\w+) type", r"float8 \1"), (r"f4(\w+) type", r"float4 \1"),
]


def types_text(summary):
    inner = re.search(r"tensor of (.*?) values", summary)
    names = []
    for part in inner.group(1).split(" or ") if inner else []:
        for pattern, name in TYPES:
            part = re.sub(f"^{pattern}$", name, part)
        names.append(part)
    if len(names) > 20:
        return "any type"
    return ", ".join(names)


def operands_text(operator):
    """Returns the text of the operands. Operands of one type are listed together."""
    groups = []
    for label, summary in operator["types"]:
        optional = " (optional)" if "none type" in summary else ""
        variadic = " ..." if summary.startswith("variadic") else ""
        text = types_text(summary)
        if groups and groups[-1][1] == text:
            groups[-1][0].append(f"`{label}`{variadic}{optional}")
        else:
            groups.append(([f"`{label}`{variadic}{optional}"], text))
    return "; ".join(f"{', '.join(labels)}: {text}" for labels, text in groups)


def rules_text(description):
    rules = re.findall(r"- (?:[a-z]+_c\d+(?:, )?)+: (.*?)(?=\n\s*- |\n\s*\n|\s*\Z)", description, re.DOTALL)
    return "".join(f"\n- {' '.join(rule.split())}" for rule in rules)


def operator_text(operator):
    lines = [f"**{operator['name']}** ({operator['since']}): {operator['summary']}."]
    if operator["types"]:
        lines.append(f"{operands_text(operator)}.")
    return "\n".join(lines) + rules_text(operator["description"])


def family_text(tblgen, file):
    with open(os.path.join(OPERATORS, file), encoding="utf-8") as stream:
        opening = re.match(r"(?:// .*\n)+", stream.read()).group(0)
    title = re.match(r"Onnx(\w+)Ops.td", file).group(1)
    blocks = [operator_text(operator) for operator in read_operators(tblgen, file) if operator["name"] not in OWN_OPERATORS]
    if not blocks:
        return ""
    return f"## {title}\n\n" + " ".join(opening.replace("// ", "").split()) + "\n\n" + "\n\n".join(blocks) + "\n"


RANDOM_RULES = """Written as integer arithmetic on positions, and so are the masks of a Dropout that trains: the same numbers in every run, on every machine, with
any number of threads, and in each round of a loop. Whoever needs others makes them an input. In u32, with mix(x) from RandomOperators.cpp:

    element i, counted row by row:  u = (mix(mix(i) ^ mix(start)) >> 8) * 2^-24, uniform in [0, 1)
    start:                          mix(the bits of `seed` as f32), or mix(the low half of XXH3 of the node's name) without a seed
    normal numbers:                 sqrt(-2 * log(1 - u)) * cos(2 * pi * v), where v is u with start + 1
    Bernoulli:                      u < p
    Multinomial:                    the greatest of p - log(-log(u)) over the classes
    Dropout:                        kept where u >= ratio"""


MICROSOFT_RULES = """Operator set 1: what ONNX Runtime's optimiser and quantiser write, and exporters of language models, as operations of the default domain. Layouts that are
tied to one processor or device are refused: the domain `com.microsoft.nchwc` (save with level `extended`), `weight_prepacked`. Each has its
limits:

    Attention, MultiHeadAttention, QAttention:  caches grow: no `past_present_share_buffer`, `past_sequence_length` or `cache_indirection`; no `do_rotary`
    GroupQueryAttention:   caches hold all positions, no `sliding_window_cache`, as floats or, with `k_quant_type` and `v_quant_type`, as integers of 8 bits; no `qk_output`.
                           The present has as many rows as the past where the model or `--alias` states so, and else as many more as there are new ones
    DecoderMaskedMultiHeadAttention:  without beams: no `cache_indirection`
    RotaryEmbedding, MRotaryEmbedding:  `scale` is 1, and `is_packed_batching` is 0
    MatMulNBits, MatMulNBitsMlp, MatMulNBitsQkv:  `bits` is 2, 4 or 8. Weights stay packed, but with `g_idx`. With `accuracy_level` 4 activations are rounded to 8 bits,
                           scales to f16; else sums are of f32. The activation of MatMulNBitsMlp is silu
    GatherBlockQuantized:  `gather_axis` is 0, and `quantize_axis` the last
    MoE, QMoE:             no `use_sparse_mixer`; a third layer for swiglu without fusion alone. Each expert that some token chooses is read once and computed for all tokens.
                           ONNX Runtime's QMoE normalises the weights of experts always, here `normalize_routing_weights` decides
    SparseAttention:       caches are buffers for the longest sequence; the block masks are of known size
    LinearAttention, CausalConvWithState:  `state_window` is 0, `ndim` is 1
    DynamicQuantizeLSTM:   the steps of the input go by all of its rows, whatever `sequence_lens` says
    GatedRelativePositionBias:  no `token_offset`
    CDist:                 `metric` is euclidean or sqeuclidean
    Inverse, UnfoldTensor: matrices, and the dimension that is unfolded, are of known size
    Rfft, Irfft:           `onesided` is 1, and `normalized` 0. The signal of an Irfft has an even length, which is known, and is divided by it
    CropAndResize:         the `crop_size` and the number of channels are known
    QLinearSoftmax, BiasSoftmax:  the last axis, for QLinearSoftmax of an operator set below 13

SimplifiedLayerNormalization is in the default domain, too, and LayerNormalization in models of any operator set, as ONNX Runtime writes them."""


SIZE_RULES = """A result whose size only the data of a run tells has memory for the most that it may be, and gets its dimensions from the run, which is refused
where it finds more. The most is for

    Compress, NonZero, Unique, NonMaxSuppression, StringNormalizer:  all that there is to select from
    StringSplit:  `maxsplit`, or the number that the model states for the last dimension
    Slice:        the axis. Axes and steps are known; starts and ends need not be. x[p : p + n] has n elements, and a run that has fewer there is refused
    Range:        what is known of the limit, a size or the Min or Clip with one, or the number that the model states. From p to p + n it has n elements
    SequenceAt:   of parts that SplitToSequence makes, the axis
    If:           the larger branch, where a run chooses from two of different sizes
    Loop:         slices that are stacked, as many as the trip count, what bounds it (a Min with a number), or the number that the model states; carried values that grow by the
                  same in each round, as much as in so many rounds

An integer that data decides, and all that goes by it (the K of TopK, the shape of ConstantOfShape or Expand, a trip count), is a size with a greatest value where the
user gives one: `--bound NAME=N`, docs/dynamic-shapes.md."""


def shared_rules_text():
    with open(os.path.join(DIALECT, "OnnxBase.td"), encoding="utf-8") as stream:
        return rules_text(re.search(r"let description = \[\{(.*?)\}\];", stream.read(), re.DOTALL).group(1))


def written_text(title, rules, file):
    """Returns the section of operators that the importer expands to other operations. Their names are in a table of its sources."""
    with open(os.path.join(IMPORT, file), encoding="utf-8") as stream:
        names = re.findall(r'\{"(\w+)", \w+, \w+(?:, [^{}]*)?\},', stream.read())
    return f"## {title}\n\n{rules}\n\n{', '.join(names)}.\n"


def written_texts():
    return [
        written_text("Written as other operators", "While importing.", "WrittenOperators.cpp"),
        written_text("Random numbers", RANDOM_RULES, "RandomOperators.cpp"),
        written_text("ai.onnx.ml", "Up to operator set 5, as operations of the default domain.", "MlOperators.cpp"),
        written_text("ai.onnx.preview.training", "Steps of optimisers, as operations of the default domain.", "TrainingOperators.cpp"),
        written_text("com.microsoft", MICROSOFT_RULES, "MicrosoftOperators.cpp"),
    ]


def document_text(tblgen):
    files = [file for file in sorted(os.listdir(OPERATORS)) if file.endswith(".td")]
    families = filter(None, (family_text(tblgen, file) for file in files))
    sizes = f"## Sizes that data decides\n\n{SIZE_RULES}\n"
    return "\n".join([INTRODUCTION + shared_rules_text() + "\n", sizes, *families, *written_texts()])


def main():
    tblgen = find_tblgen()
    if not tblgen:
        print("check-operators-doc: skipped, llvm-tblgen is not installed")
        return 0
    text = document_text(tblgen)
    if "--write" in sys.argv[1:]:
        os.makedirs(os.path.dirname(DOCUMENT), exist_ok=True)
        with open(DOCUMENT, "w", encoding="utf-8") as stream:
            stream.write(text)
        return 0
    try:
        with open(DOCUMENT, encoding="utf-8") as stream:
            written = stream.read()
    except FileNotFoundError:
        written = ""
    if written != text:
        print("docs/operators.md: expected what the dialect declares, got another text (`ninja operators-doc` writes it)")
        return 1
    print("check-operators-doc: docs/operators.md is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
