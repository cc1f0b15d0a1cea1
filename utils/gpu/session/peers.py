#!/usr/bin/env python3
"""What PyTorch takes for networks of the zoo on the device of this machine, where it is installed: beside the lines of run_cases, in the same order.

usage: peers.py [NETWORK...]

A line per network: its name, and the microseconds of the fastest of some runs without copies, eager, as a captured graph, and compiled. That is torch.compile
with mode reduce-overhead, which captures a graph; max-autotune takes minutes per network. Products and convolutions are of float32, as run_cases has them: TF32
is off.
"""

import statistics
import sys

import torch
import torchvision

NETWORKS = {"mobilenetv2": "mobilenet_v2", "squeezenet11": "squeezenet1_1", "efficientnet_b0": "efficientnet_b0", "resnet18": "resnet18", "resnet50": "resnet50"}
RUNS = 50


def time_runs(run):
    for _ in range(10):
        run()
    times = []
    for _ in range(RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return f"{min(times):.1f} ({statistics.median(times):.1f})"


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
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    print(f"# PyTorch {torch.__version__}, {torch.cuda.get_device_name()}: fastest (median) of {RUNS} in microseconds: eager, graph, compiled")
    for name in sys.argv[1:] or NETWORKS:
        with torch.inference_mode():
            model = getattr(torchvision.models, NETWORKS[name])(weights=None).cuda().eval()
            x = torch.randn(1, 3, 224, 224, device="cuda")
            compiled = torch.compile(model, mode="reduce-overhead")
            print(name, time_runs(lambda: model(x)), time_runs(capture(model, x)), time_runs(lambda: compiled(x)), flush=True)


if __name__ == "__main__":
    main()
