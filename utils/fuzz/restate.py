"""The same model said in another way: nodes in functions, branches and loops, values that go through sequences, constants in other forms, other names.
What it computes stays what it was, so that a case keeps all that is known of its values."""

import copy

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from case import Case, graphs_in, names_read, value_info
from element_types import NAMES, STORAGE

DOMAIN = "restated"
SIMPLE = (onnx.AttributeProto.INT, onnx.AttributeProto.FLOAT, onnx.AttributeProto.STRING, onnx.AttributeProto.INTS, onnx.AttributeProto.FLOATS, onnx.AttributeProto.STRINGS)
TYPED_FIELDS = {"f32": "float_data", "f64": "double_data", "i64": "int64_data", "u64": "uint64_data", "u32": "uint64_data"}
ODD_NAMES = ("{} of it", "{}/add:0", "%{}%", "{}'s", "\"{}\"", "\\{}", "{}\u00e4\u4e2d", "int {};", "{}.weight", "-{}", "{}\t", "*/{}/*", "${{{}}}", "${}", "<{}>", "{}" + "_long" * 60)


class NoFit(Exception):
    """The transformation does not apply here."""


def rename_in(nodes, names):
    """Renames the values that nodes, and graphs inside them, read and compute."""
    for node in nodes:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    for graph in graphs_in(nodes):
        rename_in(graph.node, names)
        for each in [*graph.initializer, *graph.input, *graph.output, *graph.value_info]:
            each.name = names.get(each.name, each.name)


def results_of(nodes):
    return [name for node in nodes for name in node.output if name]


def all_graphs(nodes):
    """Returns the graphs inside nodes, and the graphs inside these."""
    for graph in graphs_in(nodes):
        yield graph
        yield from all_graphs(graph.node)


def names_inside(nodes):
    """Returns the names that graphs inside nodes define."""
    graphs = list(all_graphs(nodes))
    return {each.name for graph in graphs for each in [*graph.initializer, *graph.input]} | {name for graph in graphs for name in results_of(graph.node)}


def of_rank(name, type_, rank):
    """Returns the description of a value with unknown sizes."""
    info = value_info(name, type_, ())
    for _ in range(rank):
        info.type.tensor_type.shape.dim.add()
    return info


class Restater:
    def __init__(self, case, seed):
        model = onnx.ModelProto()
        model.CopyFrom(case.model)
        self.case = Case(model, [dict(feed) for feed in case.feeds], dict(case.values), case.title)
        self.graph, self.opset = model.graph, model.opset_import[0].version
        self.random = np.random.default_rng(seed)
        self.made = 0

    # ---- choices ----

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, share):
        return bool(self.random.random() < share)

    def name(self):
        self.made += 1
        return f"said{self.made}"

    def few_nodes(self):
        """Returns the begin and end of a random run of consecutive nodes."""
        begin = int(self.random.integers(len(self.graph.node)))
        end = min(len(self.graph.node), begin + self.pick(1, 1, 2, 3, 5, 8, 13))
        return begin, end

    def read_behind(self, begin, end):
        """Returns the results of these nodes that other nodes read or that are outputs of the model, with their known properties."""
        rest = names_read([*self.graph.node[:begin], *self.graph.node[end:]]) | {each.name for each in self.graph.output}
        names = [name for name in results_of(self.graph.node[begin:end]) if name in rest]
        if not names or any(name not in self.case.values for name in names):
            raise NoFit
        return names

    def replace(self, begin, end, nodes):
        kept = [copy.deepcopy(node) for node in [*self.graph.node[:begin], *nodes, *self.graph.node[end:]]]
        del self.graph.node[:]
        self.graph.node.extend(kept)

    def constant(self, array):
        """Adds an initializer with these numbers and returns its name."""
        tensor = numpy_helper.from_array(np.asarray(array), self.name())
        self.graph.initializer.append(tensor)
        return tensor.name

    def scalar(self, type_, number):
        """Returns a constant with this number, or an input with this number in each run."""
        array = np.array(number, STORAGE[type_][1])
        if self.chance(0.5):
            return self.constant(array)
        name = self.name()
        self.graph.input.append(value_info(name, type_, ()))
        for feed in self.case.feeds:
            feed[name] = array
        self.case.values[name] = {"type": type_, "exact": True, "shapes": [()] * len(self.case.feeds)}
        return name

    # ---- nodes in other places ----

    def body(self, nodes, results, inputs=(), passed=()):
        """Returns a graph of copies of the nodes under other names, and the names of its results. It contains some of the constants that only it
        reads."""
        held = [copy.deepcopy(node) for node in nodes]
        made = {name: self.name() for name in [*results_of(held), *sorted(names_inside(held))]}
        constants = []
        for tensor in self.graph.initializer:
            if tensor.name in names_read(held) and self.chance(0.4):
                made[tensor.name] = self.name()
                constants.append(copy.deepcopy(tensor))
                constants[-1].name = made[tensor.name]
        rename_in(held, made)
        stated = [value_info(made[name], self.case.values[name]["type"], None) for name in results]
        return helper.make_graph([*held, *[node for node, _ in passed]], self.name(), list(inputs), [*[info for _, info in passed], *stated], constants)

    def as_branch(self):
        begin, end = self.few_nodes()
        names, nodes = self.read_behind(begin, end), list(self.graph.node[begin:end])
        branches = {which: self.body(nodes, names) for which in ("then_branch", "else_branch")}
        self.replace(begin, end, [helper.make_node("If", [self.scalar("bool", self.chance(0.5))], names, **branches)])

    def as_loop(self):
        """Replaces nodes by a loop whose iterations all compute the same, and takes one slice of its results."""
        begin, end = self.few_nodes()
        names, nodes = self.read_behind(begin, end), list(self.graph.node[begin:end])
        rounds = self.pick(1, 2, 3)
        count, before, after = self.name(), self.name(), self.name()
        inputs = [value_info(count, "i64", ()), value_info(before, "bool", ())]
        inner = self.body(nodes, names, inputs, [(helper.make_node("Identity", [before], [after]), value_info(after, "bool", ()))])
        stacked = [self.name() for _ in names]
        trips = self.scalar("i64", rounds) if self.chance(0.1) else self.constant(np.int64(rounds))
        loop = helper.make_node("Loop", [trips, self.pick("", self.constant(np.array(True)))], stacked, body=inner)
        place = self.constant(np.int64(self.pick(0, -1, rounds - 1)))
        self.replace(begin, end, [loop, *[helper.make_node("Gather", [each, place], [name]) for each, name in zip(stacked, names)]])

    def as_function(self):
        """Replaces nodes by a function. Names inside are those of other values outside, and some attributes are passed by the call."""
        begin, end = self.few_nodes()
        names, nodes = self.read_behind(begin, end), [copy.deepcopy(node) for node in self.graph.node[begin:end]]
        results = sorted(set(results_of(nodes)))
        read = sorted(names_read(nodes) - set(results) - names_inside(nodes) - {""})
        outside = [name for name in self.random.permutation(sorted(self.case.values)).tolist() if name not in names_inside(nodes)]
        inside = dict(zip([*read, *results], [*outside, *[self.name() for _ in [*read, *results]]]))
        given, absent = {}, set()
        for node in nodes:
            taken = {attribute.name for attribute in node.attribute}
            for attribute in node.attribute:
                if attribute.type in SIMPLE and attribute.name not in {*given, *absent} and self.chance(0.6):
                    given[attribute.name] = copy.deepcopy(attribute)
                    attribute.CopyFrom(onnx.AttributeProto(name=attribute.name, type=attribute.type, ref_attr_name=attribute.name))
            for name, kind in self.optional_attributes(node):
                if name not in {*taken, *given} and self.chance(0.2):
                    node.attribute.append(onnx.AttributeProto(name=name, type=kind, ref_attr_name=name))
                    absent.add(name)
        rename_in(nodes, inside)
        kind = self.name()
        imports = [each for each in self.case.model.opset_import if each.domain != DOMAIN] + [helper.make_opsetid(DOMAIN, 1)]
        self.case.model.functions.append(helper.make_function(DOMAIN, kind, [inside[name] for name in read], [inside[name] for name in names], nodes, imports, [*given, *sorted(absent)]))
        if not any(each.domain == DOMAIN for each in self.case.model.opset_import):
            self.case.model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
        call = helper.make_node(kind, read, names, domain=DOMAIN)
        call.attribute.extend(given.values())
        self.replace(begin, end, [call])

    def optional_attributes(self, node):
        """Returns the names and types of the operator's optional attributes; none if the installed onnx does not know the operator."""
        try:
            schema = onnx.defs.get_schema(node.op_type, min(self.opset, onnx.defs.onnx_opset_version()), node.domain)
        except onnx.defs.SchemaError:
            return []
        return [(name, int(each.type)) for name, each in schema.attributes.items() if not each.required and int(each.type) in SIMPLE]

    # ---- values that go another way ----

    def rerouted(self):
        """Renames a result at the node that computes it. Returns (place after this node, new name, name, type, shapes)."""
        makers = [(place, name) for place, node in enumerate(self.graph.node) for name in node.output if name in self.case.values]
        if not makers:
            raise NoFit
        place, name = makers[self.random.integers(len(makers))]
        known = self.case.values[name]
        return place, self.name(), name, known["type"], known["shapes"]

    def reroute(self):
        place, first, name, type_, shapes = self.rerouted()
        rank = len(shapes[0])
        ways = [self.through_sequence, self.through_shape, self.through_choice, self.through_rank]
        if self.opset >= 15:
            ways.append(self.through_optional)
        if rank:
            ways += [self.through_scan, self.through_parts, self.through_order, self.through_slices]
        nodes = self.pick(*ways)(first, name, type_, shapes)
        maker = copy.deepcopy(self.graph.node[place])
        maker.output[:] = [first if each == name else each for each in maker.output]
        self.replace(place, place + 1, [maker, *nodes])

    def through_sequence(self, first, name, type_, shapes):
        made, rest = self.name(), self.name()
        if self.chance(0.5):
            return [helper.make_node("SequenceConstruct", [first] * 2, [made]), helper.make_node("SequenceAt", [made, self.constant(np.int64(self.pick(0, 1, -1, -2)))], [name])]
        return [helper.make_node("SequenceEmpty", [], [made], dtype=STORAGE[type_][0]), helper.make_node("SequenceInsert", [made, first], [rest]),
                helper.make_node("SequenceAt", [rest, self.constant(np.int64(0))], [name])]

    def through_optional(self, first, name, type_, shapes):
        made = self.name()
        return [helper.make_node("Optional", [first], [made]), helper.make_node("OptionalGetElement", [made], [name])]

    def through_shape(self, first, name, type_, shapes):
        shape, flat = self.name(), self.name()
        ends = helper.make_node("Shape", [first], [shape])
        if self.chance(0.3):
            return [ends, helper.make_node("Expand", [first, shape], [name])]
        flattened = helper.make_node("Reshape", [first, self.constant(np.array([-1], np.int64))], [flat])
        return [ends, flattened, helper.make_node("Reshape", [flat, shape], [name], **({"allowzero": 1} if self.opset >= 14 else {}))]

    def through_choice(self, first, name, type_, shapes):
        if self.chance(0.5):
            return [helper.make_node("Where", [self.scalar("bool", self.chance(0.5)), first, first], [name])]
        results = [self.name(), self.name()]
        branches = [helper.make_graph([helper.make_node("Identity", [first], [each])], self.name(), [], [value_info(each, type_, None)]) for each in results]
        return [helper.make_node("If", [self.scalar("bool", self.chance(0.5))], [name], then_branch=branches[0], else_branch=branches[1])]

    def through_rank(self, first, name, type_, shapes):
        made, axis = self.name(), int(self.random.integers(-1, len(shapes[0]) + 1))
        axes = self.constant(np.array([axis], np.int64))
        return [helper.make_node("Unsqueeze", [first, axes], [made]), helper.make_node("Squeeze", [made, axes], [name])]

    def through_scan(self, first, name, type_, shapes):
        axis, direction = int(self.random.integers(len(shapes[0]))), self.pick(0, 1)
        if any(shape[axis] == 0 for shape in shapes):
            raise NoFit
        taken, made = self.name(), self.name()
        inner = helper.make_graph([helper.make_node("Identity", [taken], [made])], self.name(), *[[of_rank(each, type_, len(shapes[0]) - 1)] for each in (taken, made)])
        return [helper.make_node("Scan", [first], [name], body=inner, num_scan_inputs=1, scan_input_axes=[axis], scan_output_axes=[axis], scan_input_directions=[direction],
                                 scan_output_directions=[direction])]

    def through_parts(self, first, name, type_, shapes):
        axis, made = int(self.random.integers(len(shapes[0]))), self.name()
        if len({shape[axis] for shape in shapes}) != 1 or not 0 < shapes[0][axis] <= 20:
            raise NoFit
        keep = self.pick(0, 1)
        return [helper.make_node("SplitToSequence", [first], [made], axis=axis, keepdims=keep), helper.make_node("ConcatFromSequence", [made], [name], axis=axis, new_axis=1 - keep)]

    def through_order(self, first, name, type_, shapes):
        order, made = self.random.permutation(len(shapes[0])), self.name()
        return [helper.make_node("Transpose", [first], [made], perm=order.tolist()), helper.make_node("Transpose", [made], [name], perm=np.argsort(order).tolist())]

    def through_slices(self, first, name, type_, shapes):
        axis = int(self.random.integers(len(shapes[0])))
        border = int(self.random.integers(0, max(shape[axis] for shape in shapes) + 2)) * self.pick(1, 1, -1)
        axes, cut = self.constant(np.array([axis], np.int64)), self.constant(np.array([border], np.int64))
        least, most = self.constant(np.array([-(2**63)], np.int64)), self.constant(np.array([2**63 - 1], np.int64))
        parts = [self.name(), self.name()]
        return [helper.make_node("Slice", [first, least, cut, axes], parts[:1]), helper.make_node("Slice", [first, cut, most, axes], parts[1:]),
                helper.make_node("Concat", parts, [name], axis=axis)]

    # ---- constants ----

    def take_constant(self, alone=True):
        """Returns an initializer. If `alone`, it is no input as well."""
        inputs = {each.name for each in self.graph.input} if alone else ()
        suited = [each for each in self.graph.initializer if each.name not in inputs]
        if not suited:
            raise NoFit
        return suited[self.random.integers(len(suited))]

    def in_fields(self):
        """Stores numbers in the field of their type instead of as bytes."""
        tensor = self.take_constant(alone=False)
        type_ = NAMES.get(tensor.data_type)
        if not tensor.HasField("raw_data") or type_ is None:
            raise NoFit
        array = np.frombuffer(tensor.raw_data, STORAGE[type_][1] if type_ != "f16" else np.uint16)
        tensor.ClearField("raw_data")
        getattr(tensor, TYPED_FIELDS.get(type_, "int32_data")).extend(array.tolist())

    def as_node(self):
        tensor = self.take_constant()
        node = helper.make_node("Constant", [], [tensor.name], value=copy.deepcopy(tensor))
        if tensor.data_type == TensorProto.INT64 and len(tensor.dims) == 1 and tensor.HasField("raw_data") and self.chance(0.5):
            node = helper.make_node("Constant", [], [tensor.name])
            node.attribute.append(onnx.AttributeProto(name="value_ints", type=onnx.AttributeProto.INTS, ints=np.frombuffer(tensor.raw_data, np.int64).tolist()))
        self.graph.initializer.remove(tensor)
        self.replace(0, 0, [node])

    def as_copy(self):
        tensor = self.take_constant()
        name, tensor.name = tensor.name, self.name()
        self.replace(0, 0, [helper.make_node("Identity", [tensor.name], [name])])

    def as_default(self):
        """Makes an initializer an input with a default value."""
        tensor = self.take_constant()
        self.graph.input.append(value_info(tensor.name, NAMES[tensor.data_type], tuple(tensor.dims)))

    # ---- names ----

    def rename(self):
        """Renames all values and nodes by random patterns."""
        everything = {each.name for each in [*self.graph.input, *self.graph.initializer]} | set(results_of(self.graph.node)) | names_inside(self.graph.node)
        names = {name: self.pick("{}", *ODD_NAMES).format(name) for name in sorted(everything - {""})}
        rename_in(self.graph.node, names)
        for each in [*self.graph.input, *self.graph.initializer, *self.graph.output, *self.graph.value_info]:
            each.name = names.get(each.name, each.name)
        self.case.feeds = [{names.get(name, name): array for name, array in feed.items()} for feed in self.case.feeds]
        self.case.values = {names.get(name, name): known for name, known in self.case.values.items()}
        for place, node in enumerate(self.graph.node):
            node.name = self.pick("", self.pick(*ODD_NAMES).format(f"node{place}"))

    # ---- the whole ----

    def restate(self):
        ways = [self.as_branch, self.as_loop, self.as_function, self.as_function, self.reroute, self.reroute, self.in_fields, self.as_node, self.as_copy, self.as_default]
        for _ in range(self.pick(1, 2, 3, 5, 8)):
            try:
                self.pick(*ways)()
            except NoFit:  # raised before anything has changed
                pass
        if self.chance(0.2):
            self.rename()
        return self.case


def restated(case, seed):
    return Restater(case, seed).restate()
