"""Networks of utils/zoo as arguments of benchmarks: their names, their files, and the sizes they run with."""

import json
import pathlib
import sys

from results_file import ROOT, capture

sys.path.append(str(ROOT / "utils/zoo"))
from model_file import file_stem

RUN_OPTIONS = json.loads((ROOT / "utils/zoo/run_options.json").read_text())


class Failure(Exception):
    """A network that could not be measured; the others are."""


def failure_of(status, errors):
    return Failure(errors.splitlines()[-1] if errors else f"status {status}")


def checked(*command):
    """Returns the output of a command, which must succeed."""
    status, output, errors = capture(*command)
    if status:
        raise failure_of(status, errors)
    return output


def add_network_arguments(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="a network, as utils/zoo/zoo lists it")
    parser.add_argument("--all", action="store_true", help="every network")
    parser.add_argument("--form", default="float32", metavar="float32|float16|int8", help="form of the networks, as 'zoo make' has it (default: float32)")
    parser.add_argument("--small", action="store_true", help="the small versions of the networks")
    parser.add_argument("--models", type=pathlib.Path, metavar="DIR", help="folder of the models (default: build/zoo or build/zoo-small, where they are made if they are missing)")
    parser.add_argument("--save", action="store_true", help="also write a Markdown file to utils/bench/results")


def parse_network_arguments(parser):
    """Returns the arguments, in which `names` has the names of all networks if --all is given."""
    arguments = parser.parse_args()
    if bool(arguments.names) == arguments.all:
        parser.error("expected names of networks or --all")
    if arguments.all:
        status, output, errors = capture(ROOT / "utils/zoo/zoo", "list")
        if status:
            parser.error(errors or f"utils/zoo/zoo: status {status}")
        arguments.names = [line.split()[0] for line in output.splitlines()]
    return arguments


def find_model(arguments, name):
    """Returns the file of a network, which is created if it does not exist."""
    folder = arguments.models or ROOT / "build" / ("zoo-small" if arguments.small else "zoo")
    path = folder / f"{file_stem(name, arguments.form)}.onnx"
    if not path.exists():
        checked(ROOT / "utils/zoo/zoo", "make", name, "-o", folder, f"--form={arguments.form}", *(["--small"] if arguments.small else []))
    return path


def bounds_of(name):
    return [f"--bound={bound}" for bound in RUN_OPTIONS.get(name, {}).get("bounds", [])]


def dimensions_of(name):
    """Returns the options of the compiler for sizes and bounds that the network's file leaves open."""
    return [*(f"--dim={size}" for size in RUN_OPTIONS.get(name, {}).get("dims", [])), *bounds_of(name)]


def sizes_of(name, is_small):
    """Returns lists of the options of the compiler: the sizes of several runs, or of one for a small network."""
    options = RUN_OPTIONS.get(name, {})
    one = [options["dims"]] if "dims" in options else []
    return [[f"--dim={size}" for size in sizes] for sizes in (one if is_small else options.get("sizes", one))]
