#!/usr/bin/env python3
"""Text from a decoder that was compiled with --emit=lib: numbers of a prompt's tokens go in, those of the tokens that follow come out.

Tokenizers are other programs' work. The decoder's inputs are `input_ids` and, if it has them, `attention_mask` and `position_ids`; all others are caches in one
buffer with an output. The batch is 1.
"""

import argparse
import sys

import cameo
import numpy as np


class Session:
    """Caches of `rows` rows, of which the first `past` are taken."""

    def __init__(self, model, rows):
        self.model, self.rows, self.past = model, rows, 0
        caches = {output.shared_input: output.name for output in model.outputs if output.shared_input}
        inputs = {tensor.name: tensor for tensor in model.inputs}
        for name in inputs:
            if name not in {"input_ids", "attention_mask", "position_ids", *caches}:
                raise SystemExit(f"generate: input '{name}': expected tokens, mask, positions or a cache in one buffer with an output (--alias)")
        # Sizes that the model leaves open are names: of the batch, and of rows.
        shapes = {name: [size if isinstance(size, int) else 1 for size in inputs[name].shape] for name in caches}
        for name, shape in shapes.items():
            shape[-2] = inputs[name].shape[-2] if isinstance(inputs[name].shape[-2], int) else rows
        self.caches = {name: np.zeros(shape, inputs[name].dtype) for name, shape in shapes.items()}
        self.presents = {output: self.caches[name] for name, output in caches.items()}
        self.mask_columns = inputs["attention_mask"].shape[1] if "attention_mask" in inputs else None

    def run(self, tokens):
        """The logits of the token behind `tokens`, which follow those of the runs before."""
        total = self.past + len(tokens)
        columns = self.mask_columns if isinstance(self.mask_columns, int) else total
        given = {"input_ids": np.array([tokens], np.int64), "position_ids": np.arange(self.past, total, dtype=np.int64)[None],
                 "attention_mask": (np.arange(columns) < total).astype(np.int64)[None], **self.caches}
        names = {tensor.name for tensor in self.model.inputs}
        results = self.model.run({name: array for name, array in given.items() if name in names}, outputs=self.presents)
        self.past = total
        return results["logits"][0, -1]


def sample(logits, temperature, top_k, random):
    """The likeliest token where the temperature is 0; else softmax(logits / temperature) over the `top_k` largest, over all where it is 0."""
    if temperature <= 0:
        return int(np.argmax(logits))
    logits = logits.astype(np.float64)
    if 0 < top_k < len(logits):
        logits = np.where(logits >= np.partition(logits, -top_k)[-top_k], logits, -np.inf)
    weights = np.exp((logits - logits.max()) / temperature)
    return int(random.choice(len(weights), p=weights / weights.sum()))


def parse_arguments():
    parser = argparse.ArgumentParser(prog="generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the library")
    parser.add_argument("tokens", type=int, nargs="+", help="of the prompt")
    parser.add_argument("--steps", type=int, default=16, metavar="N", help="tokens to make (default: 16)")
    parser.add_argument("--rows", type=int, metavar="N", help="rows of the caches (default: as many as all tokens)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="0 is one per CPU (default: 1)")
    parser.add_argument("--temperature", type=float, default=0, metavar="T", help="0 takes the likeliest token (default: 0)")
    parser.add_argument("--top-k", type=int, default=0, metavar="K", help="draw from the K likeliest, 0 from all (default: 0)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the random numbers (default: 0)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    random = np.random.default_rng(arguments.seed)
    session = Session(cameo.load(arguments.model, threads=arguments.threads), arguments.rows or len(arguments.tokens) + arguments.steps)
    tokens, made = arguments.tokens, []
    for _ in range(arguments.steps):
        # The prompt in one run, then each token in one of its own.
        made.append(sample(session.run(tokens), arguments.temperature, arguments.top_k, random))
        tokens = made[-1:]
    print(*made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
