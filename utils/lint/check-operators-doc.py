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
can be imported. Older versions of an operator are upgraded to the newest one, whose operator set is in parentheses after the name. The list below
each operator states what a model must satisfy. `cameo check` lists what is not supported in a model, and `docs/extending.md` describes how to add
operators that are missing here. These rules hold for all operators:
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


RANDOM_RULES = """Random numbers, and the masks of Dropout in training mode, are computed by integer arithmetic from the position of the element: they are the same in
every run, on every machine, with any number of threads, and in each iteration of a loop. To use other numbers, make them an input of the model. In u32, with mix(x)
from RandomOperators.cpp:

    element i, counted row by row:  u = (mix(mix(i) ^ mix(start)) >> 8) * 2^-24, uniform in [0, 1)
    start:                          mix(the bits of `seed` as f32), or mix(the low half of XXH3 of the node's name) without a seed
    normal numbers:                 sqrt(-2 * log(1 - u)) * cos(2 * pi * v), where v is u with start + 1
    Bernoulli:                      u < p
    Multinomial:                    the greatest of p - log(-log(u)) over the classes
    Dropout:                        kept where u >= ratio"""


MICROSOFT_RULES = """Operator set 1: operators that ONNX Runtime's optimiser and quantiser and exporters of language models write, as operations of the default domain. Layouts
for one processor or device are not supported: the domain `com.microsoft.nchwc` (save with level `extended`), `weight_prepacked`. BeamSearch, GreedySearch,
Sampling and WhisperBeamSearch are not supported: they hold a whole decoder and the loop around it, whose memory and end belong to a program. Compile the
decoder, and write the loop as docs/decoders.md does. Limits of the operators:

    Attention, MultiHeadAttention, QAttention:  caches grow: no `past_present_share_buffer`, `past_sequence_length` or `cache_indirection`; no `do_rotary`
    GroupQueryAttention:   caches hold all positions, no `sliding_window_cache`, as floats or, with `k_quant_type` and `v_quant_type`, as integers of 8 bits; `qk_output` only
                           where they grow. The positions of a prompt are those that follow the first one of `position_ids`, as in ONNX Runtime.
                           The present has as many rows as the past if the model or `--alias` states so, otherwise the new rows are appended
    DecoderMaskedMultiHeadAttention:  no beam search: no `cache_indirection`; scores as output 3 only where caches grow
    RotaryEmbedding, MRotaryEmbedding:  `scale` is 1, and `is_packed_batching` is 0
    MatMulNBits, MatMulNBitsMlp, MatMulNBitsQkv:  `bits` is 2, 4 or 8. Weights stay packed, except with `g_idx`. With `accuracy_level` 4 activations are rounded to 8 bits,
                           scales to f16; otherwise sums are f32. The activation of MatMulNBitsMlp is silu
    GatherBlockQuantized:  `gather_axis` is 0, and `quantize_axis` the last
    MoE, QMoE:             no `use_sparse_mixer`; a third layer only for swiglu without fusion. Each expert that is chosen by a token is read once and computed for all tokens.
                           ONNX Runtime's QMoE always normalises the weights of experts; here this depends on `normalize_routing_weights`
    SparseAttention:       caches are buffers for the longest sequence; the block masks have known sizes
    LinearAttention, CausalConvWithState:  `state_window` is 0, `ndim` is 1
    GatedRelativePositionBias:  no `token_offset`
    CDist:                 `metric` is euclidean or sqeuclidean
    Inverse, UnfoldTensor: matrices, and the unfolded dimension, have known sizes
    Rfft, Irfft:           `onesided` is 1, and `normalized` 0. The signal of an Irfft has a known even length, by which it is divided
    CropAndResize:         `crop_size` and the number of channels are known

Not supported, as no exporter of today writes them for processors, or since they are no arithmetic of tensors: Tokenizer, WordConvEmbedding, MurmurHash3, DynamicTimeWarping,
MaxpoolWithMask and ConvTransposeWithDynamicPads (old recipes); PagedAttention, PackedAttention, PackedMultiHeadAttention and GatedDeltaNet (their caches and layouts
are those of a server on a GPU); EPContext (code for one accelerator); the domain `ai.onnx.contrib` (tokenizers and codecs of onnxruntime-extensions). Compute them in
the program, or give a function for them with `--extern-ops`.

SimplifiedLayerNormalization is also supported in the default domain, and LayerNormalization in models of any operator set, as ONNX Runtime writes them."""


DIFFERENCES = """These follow ONNX's specification and its reference implementation, where ONNX Runtime 1.30 gives other results:

    ArgMax, ArgMin, Hardmax, MaxPool:  NaN is the greatest of all, and the first one is the extremum
    GridSample:      near borders, cubic curves with `border` go through places that are moved onto the outermost elements; ONNX Runtime moves the elements that it reads
    Loop, Scan:      without iterations, a stacked output has the sizes of its slices; ONNX Runtime has 0 where the body does not state a number. A stacked number of
                     the iteration counts from 0; ONNX Runtime stacks the next one
    Normalizer:      MAX divides by the greatest absolute value, as scikit-learn does; ONNX Runtime by the greatest value
    QuantizeLinear:  an f16 is divided by its scale in f16 (`precision`); ONNX Runtime divides in f32, which may be a step off
    Resize:          a scale other than 1 interpolates also where it leaves all sizes as they are; ONNX Runtime copies. Aligned corners use the length that the scale
                     asks for; ONNX Runtime rounds it
    StringSplit:     an empty string has one part if there is a delimiter; ONNX Runtime finds none"""


SIZE_RULES = """If the size of a result depends on the data of a run, memory is planned for an upper bound of the size, and the run computes the
dimensions. A run that exceeds the bound fails. The bound is:

    Compress, NonZero, Unique, NonMaxSuppression, StringNormalizer:  the number of all candidates
    StringSplit:  `maxsplit`, or a number as the last dimension of the output in the model
    Slice:        the size of the axis. Axes and steps must be known; starts and ends need not be. x[p : p + n] has n elements, and a run with fewer there fails
    Range:        what is known of the limit (a size, or a Min or Clip with one), or a number as the size of the output in the model. From p to p + n it has n elements
    Split, SequenceAt of parts of SplitToSequence:  the size of the axis
    SequenceAt, SequenceInsert, SequenceErase:  the larger element, if a run gives the position in a sequence of different sizes
    If:           the larger branch, if a run chooses between branches of different sizes
    Loop:         for stacked outputs, the trip count, its bound (a Min with a number), or a number as the first dimension of the output in the model; for carried values
                  that grow by the same amount in each iteration, that amount times the same number of iterations
    If, Loop:     for sequences and optional values, the longest sequence, and a value that is present

A computed integer, and all sizes that it determines (the K of TopK, the shape of ConstantOfShape or Expand, a trip count), needs a bound from the user:
`--bound NAME=N`, docs/dynamic-shapes.md.

A Loop is unrolled up to the bound of its trip count, to at most 8192 nodes, if its iterations differ in sizes in another way (a Pad by the number of the
iteration), or if it carries sequences or optional values; only a list to which each iteration appends one element of one size needs no bound. Without a bound,
or with more nodes, this is an error. `--constant NAME=NUMBERS` fixes an input that decides how often a loop runs."""


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
        written_text("Written as other operators", "The importer expands these operators.", "WrittenOperators.cpp"),
        written_text("Random numbers", RANDOM_RULES, "RandomOperators.cpp"),
        written_text("ai.onnx.ml", "Up to operator set 5; the importer expands these operators to operations of the default domain.", "MlOperators.cpp"),
        written_text("ai.onnx.preview.training", "Steps of optimisers; the importer expands them to operations of the default domain.", "TrainingOperators.cpp"),
        written_text("com.microsoft", MICROSOFT_RULES, "MicrosoftOperators.cpp"),
        written_text("org.openvinotoolkit", "Quantisation in training, as NNCF writes it; the importer expands it to operations of the default domain.", "OpenVinoOperators.cpp"),
        written_text("qonnx.custom_op.general", "Quantisers of few bits, as Brevitas writes them, there in the domain `onnx.brevitas`; the importer expands them to operations of the default domain.", "QonnxOperators.cpp"),
    ]


def document_text(tblgen):
    files = [file for file in sorted(os.listdir(OPERATORS)) if file.endswith(".td")]
    families = filter(None, (family_text(tblgen, file) for file in files))
    sizes = f"## Sizes that a run computes\n\n{SIZE_RULES}\n"
    differences = f"## Results that ONNX Runtime computes in another way\n\n{DIFFERENCES}\n"
    return "\n".join([INTRODUCTION + shared_rules_text() + "\n", sizes, differences, *families, *written_texts()])


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
