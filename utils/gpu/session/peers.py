#!/usr/bin/env python3
"""What PyTorch takes for networks of the zoo on the device of this machine, where it is installed: beside the lines of run_cases.

usage: peers.py [--half] [--batch N] [NETWORK...]

A line per network: its name, and the milliseconds of the fastest (and the median) of some runs without copies: eager, as a captured graph, and compiled. That is torch.compile with mode
reduce-overhead, which captures a graph; max-autotune takes minutes per network. Weights are random. Products and convolutions of float32 are not of TF32, as run_cases has them; --half has
weights and inputs of float16.
"""

import argparse
import statistics

import torch

IMAGES = {"densenet121": "densenet121", "efficientnet_b0": "efficientnet_b0", "inception_v3": "inception_v3", "mobilenetv2": "mobilenet_v2", "resnet18": "resnet18", "resnet50": "resnet50",
          "squeezenet11": "squeezenet1_1", "vgg11": "vgg11", "vit_b16": "vit_b_16"}
RUNS, TOKENS = 30, 128


def make_network(name, batch, element):
    """The network, and its input."""
    if name == "bert_base":
        from transformers import BertConfig, BertModel
        return BertModel(BertConfig(), add_pooling_layer=False), torch.randint(0, 30000, (batch, TOKENS), device="cuda")
    import torchvision
    side = 299 if name == "inception_v3" else 224
    return getattr(torchvision.models, IMAGES[name])(weights=None), torch.randn(batch, 3, side, side, device="cuda", dtype=element)


def time_runs(run):
    for _ in range(5):
        run()
    times = []
    for _ in range(RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return f"{min(times):.4f} ({statistics.median(times):.4f})"


def capture(model, x):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            model(x)
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model(x)
    return graph.replay


def main():
    parser = argparse.ArgumentParser(prog="peers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", action="store_true", help="float16")
    parser.add_argument("--batch", type=int, default=1, help="default: 1")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", default=["bert_base", *IMAGES], help="default: all")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    element = torch.float16 if options.half else torch.float32
    print(f"# PyTorch {torch.__version__}, {torch.cuda.get_device_name()}, {element}, batch {options.batch}: fastest (median) of {RUNS} in milliseconds: eager, graph, compiled")
    for name in options.networks:
        with torch.inference_mode():
            model, x = make_network(name, options.batch, element)
            model = model.cuda().to(element).eval()
            model(x)
            compiled = torch.compile(model, mode="reduce-overhead")
            print(name, time_runs(lambda: model(x)), time_runs(capture(model, x)), time_runs(lambda: compiled(x)), flush=True)


if __name__ == "__main__":
    main()
