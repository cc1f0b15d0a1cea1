"""A random graph that grows node by node. Every value's shape is known, and bounds on its numbers, so that each node is valid and no result is
decided by rounding; what the compiler makes of the graph can be compared."""

import dataclasses

import numpy as np
from onnx import TensorProto, helper

from element_types import BITS, FLOATS, LARGEST, UNSIGNED, integer_range, number_of, to_bytes, to_storage
from sizes import Size, are_fixed, elements, is_open, largest, of_run, smallest

MOST_ELEMENTS = 20000
USUAL_SIZES = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 19, 24, 31, 32, 33, 40, 63, 64, 65, 100, 128, 130, 200)
# Sizes for graphs whose time is measured.
LARGE_SIZES = (1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 17, 24, 31, 32, 33, 40, 48, 56, 63, 64, 65, 96, 100, 112, 128, 130, 160, 197, 200, 256, 300, 384, 512, 577, 768, 1000, 1024, 2048)
LARGER = 32


class NoFit(Exception):
    """A step found no suitable operands; another one is tried."""


@dataclasses.dataclass(eq=False)
class Value:
    name: str
    type: str
    shape: tuple
    low: float
    high: float
    exact: bool  # computed without rounding by every implementation, so it may be compared, rounded and sorted
    constant: object = None
    distinct: bool = False  # no two elements are equal or close to each other, so the order is well defined

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return max(abs(self.low), abs(self.high))


class Graph:
    """A random graph, which `seed` determines. With `open_sizes`, some dimensions of inputs have names, and a size for each of `runs`. Graphs that
    are `large` have few values, with a few thousand to some hundred thousand elements. They serve to measure time, the others to compare results."""

    def __init__(self, seed, open_sizes=False, runs=3, large=False):
        self.seed, self.large = seed, large
        self.random = np.random.default_rng(seed)
        self.opset = int(self.pick(13, 17, 18, 21, 21, 22, 23, 24, 25, 26))
        self.nodes, self.values, self.inputs, self.initializers = [], [], [], []
        self.read = set()
        self.run_count = runs if open_sizes else 1
        self.feeds = [{} for _ in range(self.run_count)]
        self.symbols = self.make_symbols() if open_sizes else []
        self.derived = []
        self.share_of_fresh = 0.15
        self.types = self.palette()
        self.domains = {}
        self.made = 0

    # ---- choices ----

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, share):
        return bool(self.random.random() < share)

    def integer(self, low, high):
        """Returns a random integer; both bounds are included."""
        return int(self.random.integers(low, high + 1))

    def limit(self, few):
        """Returns a limit of elements or terms: `few`, or more in large graphs."""
        return LARGER * few if self.large else few

    def sized(self, small, large):
        """Returns one of the sizes for graphs of this kind."""
        return self.pick(*(large if self.large else small))

    def make_symbols(self):
        made = []
        for index in range(self.pick(1, 1, 2, 3)):
            sizes = [self.pick(*USUAL_SIZES[:26], 0 if self.chance(0.15) else 1) for _ in range(self.run_count)]
            made.append(Size(sizes, f"n{index}"))
        return made

    def palette(self):
        """Returns few types per graph, so that operators can use each other's results."""
        if self.chance(0.5):  # types that ONNX Runtime has kernels for
            self.opset = int(self.pick(13, 15, 17, 18))
            return ["f32", "f32", "f32", self.pick("i64", "i32"), self.pick("bool", "f32", "i64")]
        main = self.pick("f32", "f32", "f32", "f32", "f16", "f64", "bf16")
        return [main, main, main, self.pick("i64", "i32", "i8", "u8", "i16", "u16", "u32", "u64"), self.pick("f32", "i64", "i32", "bool", "f16", "u8", "f64", "bf16")]

    def type_of(self, types):
        suited = [each for each in self.types if each in types]
        return self.pick(*suited) if suited and self.chance(0.9) else self.pick(*types)

    def size(self, most, zero=True):
        if self.symbols and self.chance(0.35):
            size = self.pick(*self.symbols)
            if largest(size) <= most and (zero or smallest(size) > 0):
                return size
        if zero and self.chance(0.02):
            return 0
        return self.pick(*[size for size in (LARGE_SIZES if self.large else USUAL_SIZES) if size <= max(most, 1)])

    def shape(self, lowest=0, highest=5, most=MOST_ELEMENTS, zero=True):
        if highest == 5 and self.chance(0.06):
            highest = 7
        most = self.limit(most)
        rank, made = self.integer(lowest, highest), []
        for axis in range(rank):
            made.append(self.size(int(max(1, most // max(1, elements(made)))) if axis == rank - 1 else int(max(1, (most // max(1, elements(made))) ** 0.6)), zero))
        order = self.random.permutation(rank)
        return tuple(made[axis] for axis in order)

    def axis(self, value, lowest=0):
        """Returns a random dimension, and the attribute's value for it, which may be negative."""
        if value.rank <= lowest:
            raise NoFit
        axis = self.integer(lowest, value.rank - 1)
        return axis, axis - value.rank if self.chance(0.4) else axis

    def open_or(self, size):
        return self.pick(*self.symbols) if self.symbols and self.chance(0.6) else size

    def planes(self):
        """Returns a shape of images."""
        batch, channels = self.open_or(self.pick(1, 1, 2, 3)), self.sized((1, 3, 4, 8, 16, 24, 40), (3, 16, 24, 40, 64, 100, 192, 256))
        return (batch, channels, self.open_or(self.sized((5, 7, 8, 12, 17), (7, 13, 14, 28, 33, 56))), self.open_or(self.sized((4, 6, 7, 14, 16), (7, 14, 19, 28, 40, 56))))

    def rows(self):
        """Returns a shape of sequences."""
        return (self.open_or(self.pick(1, 2, 3)), self.open_or(self.sized((3, 5, 12, 16), (12, 50, 64, 128, 197))), self.sized((8, 16, 24, 33, 48), (64, 96, 200, 384, 768)))

    # ---- values ----

    def name(self, kind):
        self.made += 1
        return f"{kind}{self.made}"

    def is_quantity(self, value, types, suits):
        return value.type in types and value.constant is None and suits(value)

    def take(self, types=FLOATS, suits=lambda value: True, ranks=(0, 5), most=MOST_ELEMENTS, zero=True, fresh=None, fixed=False):
        """Returns a suitable value, preferably one of the last, or a new input or constant."""
        fits = lambda value: ranks[0] <= value.rank <= max(ranks[1], 7 if ranks[1] == 5 else 0) and elements(value.shape) <= self.limit(most) and (
            zero or all(smallest(size) > 0 for size in value.shape)) and (not fixed or are_fixed(value.shape)) and suits(value)
        if not self.chance(self.share_of_fresh if fresh is None else fresh):
            suited = [value for value in self.values if value.type in types and fits(value)]
            if suited:
                return suited[-1 - min(int(self.random.exponential(2.0)), len(suited) - 1)]
        for _ in range(4):
            shape = self.shape(*ranks, most=min(most, MOST_ELEMENTS), zero=zero)
            if fixed and not are_fixed(shape):
                continue
            probe = Value("", self.type_of(types), shape, -2, 2, True)
            if fits(probe):
                return self.fresh(probe.type, shape)
        raise NoFit

    def like(self, value, broadcast=True):
        """Returns another operand of the same type, with the same shape or one that broadcasts with it."""
        same = [other for other in self.values if other.type == value.type and other.shape == value.shape]
        if same and self.chance(0.5):
            return self.pick(*same)
        shape = value.shape
        if broadcast and self.chance(0.6):
            shape = tuple(1 if self.chance(0.4) else size for size in shape)[self.integer(0, value.rank):] if value.rank else ()
            suited = [other for other in self.values if other.type == value.type and other.shape == shape]
            if suited and self.chance(0.6):
                return self.pick(*suited)
        return self.fresh(value.type, shape)

    def numbers(self, type_, shape, low, high, distinct=False):
        """Returns stored random numbers. Half of the time floats are multiples of 1/8, whose sums are exact if they have few terms."""
        count = int(np.prod(shape, dtype=np.int64))
        if type_ == "string":
            words = [b"", b"a", b"Word", b"two words", "\u00e4\u00f6".encode(), b"x" * 40, b"12", b"-3.5"]
            return np.array([words[i] for i in self.random.integers(len(words), size=count)] + [None], object)[:-1].reshape(shape)
        if type_ == "bool":
            return self.random.random(shape) < 0.5
        if type_ in FLOATS:
            if distinct:
                return to_storage(type_, (self.random.permutation(count).reshape(shape) + 1) * ((high - low) / (count + 1)) + low)
            numbers = self.random.uniform(low, high, shape)
            if self.chance(0.5):
                numbers = np.clip(np.round(numbers * 8) / 8, low, high)
            return to_storage(type_, numbers)
        least, most = integer_range(type_)
        low, high = max(int(np.ceil(low)), least), min(int(np.floor(high)), most)
        if type_ == "u64":
            return self.random.integers(low, high, shape, dtype=np.uint64, endpoint=True)
        return self.random.integers(low, high, shape, dtype=np.int64, endpoint=True).astype({"i64": np.int64}.get(type_, np.int64)).astype(to_storage(type_, 0).dtype)

    def usual_bounds(self, type_):
        if type_ in FLOATS:
            return self.pick((-2, 2), (-2, 2), (-1, 1), (0.25, 3), (-6, 6))
        if type_ in ("bool", "string"):
            return 0, 1
        low, high = integer_range(type_)
        return self.pick((max(low, -9), 9), (max(low, -100), 100), (max(low, -(2**40)), min(high, 2**40)))

    def fresh(self, type_, shape, bounds=None, constant=None, distinct=False):
        """Returns a new input, or a constant if its sizes are fixed. `bounds` may contain a Size, which differs between runs."""
        shape = tuple(self.named(size) for size in shape)
        low, high = bounds if bounds is not None else self.usual_bounds(type_)
        is_constant = are_fixed(shape) and not is_open(high) and (self.chance(0.4) if constant is None else constant)
        if constant and not is_constant:
            raise NoFit
        name = self.name("c" if is_constant else "x")
        if type_ in FLOATS:  # bounds as they are stored
            low, high = float(low), float(high)
        if is_constant:
            array = self.numbers(type_, shape, low, high, distinct)
            return self.constant(type_, array, low, high, name, distinct)
        for run, feed in enumerate(self.feeds):
            top = high.runs[run] if is_open(high) else high
            bottom = low.runs[run] if is_open(low) else low
            feed[name] = self.numbers(type_, of_run(shape, run), bottom, top, distinct)
        value = Value(name, type_, shape, smallest(low), largest(high), True, distinct=distinct)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def named(self, size):
        """Returns the size with a name: an input may have the size of a result."""
        if not is_open(size) or size.symbol:
            return size
        known = [each for each in self.symbols + self.derived if each == size]
        if not known:
            known = [Size(size.runs, f"d{len(self.derived)}")]
            self.derived += known
        return known[0]

    def constant(self, type_, array, low=None, high=None, name=None, distinct=False):
        """Adds an initializer or a Constant node."""
        array = np.asarray(array)
        name = name or self.name("c")
        tensor = TensorProto(name=name, data_type=number_of(type_), dims=array.shape)
        if type_ == "string":
            tensor.string_data.extend(array.ravel().tolist())
        else:
            tensor.raw_data = to_bytes(type_, array)
        if low is None:
            low, high = (float(array.min()), float(array.max())) if array.size and type_ not in ("string", "bf16") else (0, 1)
        if self.chance(0.95):
            self.initializers.append(tensor)
        else:
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        value = Value(name, type_, array.shape, low, high, True, array, distinct)
        if array.size > 4 and type_ in FLOATS:
            self.values.append(value)
        return value

    def ints(self, *numbers, type_="i64"):
        return self.constant(type_, to_storage(type_, np.array(numbers, np.int64)))

    def scalar(self, type_, number, shape=()):
        return self.constant(type_, np.full(shape, to_storage(type_, number)), float(number), float(number))

    def indices(self, shape, limit, types=("i64", "i64", "i32"), negative=True):
        """Returns indices into a dimension of `limit` elements."""
        if smallest(limit) < 1 and elements(shape) > 0:
            raise NoFit
        low = -limit if negative and self.chance(0.4) else 0
        return self.fresh(self.pick(*types), shape, (low, limit - 1))

    # ---- nodes ----

    def node(self, kind, inputs, results, domain="", **attributes):
        """Adds a node. `results` are tuples (type, shape, low, high, exact). Returns the value, or several values."""
        made = []
        for type_, shape, low, high, exact in results:
            shape = tuple(shape)
            if elements(shape) > 8 * self.limit(MOST_ELEMENTS) or any(smallest(size) < 0 for size in shape):
                raise NoFit
            if type_ in FLOATS and not max(abs(low), abs(high)) <= LARGEST[type_]:
                raise NoFit
            made.append(Value(self.name("v"), type_, shape, low, high, exact))
        if domain:
            self.domains[domain] = 1
        names = [each.name if each is not None else "" for each in inputs]
        while names and not names[-1]:
            names.pop()
        self.nodes.append(helper.make_node(kind, names, [each.name for each in made], domain=domain, **{key: each for key, each in attributes.items() if each is not None}))
        self.read.update(names)
        self.values += made
        return made[0] if len(made) == 1 else made

    def same(self, kind, value, low, high, exact=False, extra=(), **attributes):
        """Adds a node whose result has the type and shape of its first operand."""
        return self.node(kind, [value, *extra], [(value.type, value.shape, low, high, exact)], **attributes)

    def clamp(self, value, low, high):
        """Returns the value within bounds, by a node if necessary."""
        if low <= value.low and value.high <= high:
            return value
        low, high = float(low), float(high)
        if self.chance(0.7) or value.type == "bool":
            operands = [value, self.scalar(value.type, low), self.scalar(value.type, high)]
            return self.node("Clip", operands, [(value.type, value.shape, max(low, min(value.low, high)), min(high, max(value.high, low)), value.exact)])
        raised = self.node("Max", [value, self.scalar(value.type, low)], [(value.type, value.shape, max(low, value.low), max(low, value.high), value.exact)])
        return self.node("Min", [self.scalar(value.type, high), raised], [(value.type, value.shape, min(high, raised.low), min(high, raised.high), value.exact)])

    def axes_operand(self, since, axes):
        """Returns axes as an operand from operator set `since` on, and as an attribute before: (operands, attributes)."""
        if axes is None:
            return [], {}
        return ([self.ints(*axes)], {}) if self.opset >= since else ([], {"axes": list(axes)})

    # ---- the whole ----

    def grow(self, steps, count):
        """Adds steps until there are `count` nodes. A step that raises NoFit leaves no node that is read."""
        while len(self.nodes) < count:
            before, read = (len(self.nodes), len(self.values), len(self.inputs), len(self.initializers)), set(self.read)
            step = steps[self.random.integers(len(steps))]
            try:
                step(self)
            except NoFit:
                for held, kept in zip((self.nodes, self.values, self.inputs, self.initializers), before):
                    del held[kept:]
                self.read = read

    def outputs(self):
        """Returns the values that nothing reads, and some others. A few of the unread ones are left out, so that they are dead."""
        produced = [value for value in self.values if value.constant is None and value not in self.inputs]
        unread = [value for value in produced if value.name not in self.read]
        kept = [value for value in unread if self.chance(0.93)]
        kept += [value for value in produced if value.name in self.read and self.chance(0.08)]
        return kept or produced[-1:]
