#include "passes/Lower/Formulas/RecurrentLayer.h"

#include "passes/Lower/Formulas/ByteSteps.h"

#include "dialects/Onnx/ConstantData.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {

Access Direction::gate(GenericBuilder &b, Value gates, unsigned number) const {
  Dim hidden = layer.hidden();
  return b.whole(b.slice(gates, {0, hidden * number}, {shapeOf(gates)[0], hidden}, {1, 1}));
}

Access Direction::peephole(GenericBuilder &b, unsigned number) const {
  return {b.slice(peepholes, {layer.hidden() * number}, {layer.hidden()}, {1}), {b.dim(1)}};
}

/// Returns x times the transpose of `weights`, plus all `biases` that are not null.
static Value project(GenericBuilder &b, Value x, Value weights, ArrayRef<Value> biases) {
  unsigned rank = rankOf(x);
  Shape shape = shapeOf(x);
  shape.back() = shapeOf(weights)[0];
  Exprs left = b.dims(rank);
  left.back() = b.dim(rank);
  Access sums{b.filled(shape, b.getZeroAttr(elementOf(x))), b.dims(rank)};
  Value product = b.generic({rank, 1}, {{x, left}, {weights, {b.dim(rank - 1), b.dim(rank)}}}, {sums},
                            [](ScalarBuilder &s, ValueRange x) { return Values{s.add(x[2], s.mul(x[0], x[1]))}; })
                      .front();
  SmallVector<Access> terms = {b.whole(product)};
  for (Value bias : biases)
    if (bias)
      terms.push_back(b.along(bias, rank - 1));
  if (terms.size() == 1)
    return product;
  return b.map(shape, elementOf(x), terms, [](ScalarBuilder &s, ValueRange x) {
    Value sum = x[0];
    for (Value bias : x.drop_front())
      sum = s.add(sum, bias);
    return sum;
  });
}

/// Returns `state` times the transposes of `count` square matrices, which are concatenated along the rows of `weights`.
/// One loop nest computes all sums.
static Values multiplyTogether(GenericBuilder &b, Value state, Value weights, unsigned count) {
  Shape shape = shapeOf(state);
  Dim hidden = shape[1];
  SmallVector<Access> inputs = {{state, {b.dim(0), b.dim(2)}}}, sums;
  for (unsigned number = 0; number < count; ++number) {
    inputs.push_back({b.slice(weights, {hidden * number, 0}, {hidden, hidden}, {1, 1}), {b.dim(1), b.dim(2)}});
    sums.push_back(b.whole(b.filled(shape, b.getZeroAttr(elementOf(state)))));
  }
  return b.generic({2, 1}, inputs, sums, [&](ScalarBuilder &s, ValueRange x) {
    Values next;
    for (unsigned number = 1; number <= count; ++number)
      next.push_back(s.add(x[count + number], s.mul(x[0], x[number])));
    return next;
  });
}

Values Direction::recurrence(GenericBuilder &b, Value state, unsigned first, unsigned count) const {
  // A multiple of this number of floats fills the vectors of all processors.
  constexpr int64_t fullVectors = 16;
  Dim hidden = layer.hidden();
  Value weights = b.slice(r, {hidden * first, 0}, {hidden * count, hidden}, {1, 1});
  if (layer.roundsState && !isFirst)
    state = roundToByteSteps(b, state);
  Values products;
  if (isFirst) {
    products.assign(count, b.filled(shapeOf(state), b.getZeroAttr(elementOf(state))));
  } else if (hidden.isStatic() && hidden.getSize() % fullVectors == 0) {
    products = multiplyTogether(b, state, weights, count);
  } else {
    Value all = project(b, state, weights, {});
    for (unsigned number = 0; number < count; ++number)
      products.push_back(b.slice(all, {0, hidden * number}, shapeOf(state), {1, 1}));
  }
  if (layer.scalesBias && rBias)
    for (auto [number, product] : llvm::enumerate(products)) {
      Value bias = b.slice(rBias, {hidden * Dim(first + number)}, {hidden}, {1});
      product = b.map(shapeOf(state), elementOf(state), {b.whole(product), b.along(bias, 1)},
                      [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
    }
  return products;
}

namespace {

/// The numbers of `activation_alpha` or `activation_beta`. By ONNX each function that uses a number takes the next one.
/// A list as long as that of the functions has a number for every function, also for those that do not use it:
/// exporters write both forms.
class ActivationNumbers {
public:
  ActivationNumbers(Operation *op, StringRef name, size_t functions)
      : numbers(op->getAttrOfType<DenseF32ArrayAttr>(name)),
        isForEach(numbers && static_cast<size_t>(numbers.size()) == functions) {}

  std::optional<double> take(bool isUsed) {
    if (!numbers || next >= numbers.size() || !(isUsed || isForEach))
      return std::nullopt;
    return numbers[next++];
  }

private:
  DenseF32ArrayAttr numbers;
  bool isForEach;
  int64_t next = 0;
};

} // namespace

FailureOr<SmallVector<GateActivation>> readActivations(Operation *op, ArrayRef<StringRef> defaults,
                                                       unsigned directions) {
  SmallVector<StringRef> names;
  if (auto given = op->getAttrOfType<ArrayAttr>("activations"))
    for (StringAttr name : given.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  if (names.size() < defaults.size() * directions) {
    names.clear();
    for (unsigned direction = 0; direction < directions; ++direction)
      names.append(defaults.begin(), defaults.end());
  }
  ActivationNumbers alphas(op, "activation_alpha", names.size()), betas(op, "activation_beta", names.size());
  auto clip = op->getAttrOfType<FloatAttr>("clip");
  SmallVector<GateActivation> activations;
  for (StringRef name : names) {
    std::optional<GateActivation> activation =
        makeGateActivation(name, alphas.take(usesAlpha(name)), betas.take(usesBeta(name)),
                           clip ? std::optional<double>(clip.getValueAsDouble()) : std::nullopt);
    if (!activation) {
      (void)unsupported(op, "activation \"" + name + "\"");
      return failure();
    }
    activations.push_back(*activation);
  }
  return activations;
}

namespace {

class LayerBuilder {
public:
  LayerBuilder(GenericBuilder &b, const RecurrentLayer &layer, unsigned stateSize, Cell cell)
      : b(b), layer(layer), stateSize(stateSize), cell(cell), element(elementOf(layer.x)), type(computeType(element)) {
    x = b.convert(layer.batchFirst ? b.transpose(layer.x, {1, 0, 2}) : layer.x, type);
    steps = shapeOf(x)[0];
    batch = shapeOf(x)[1];
  }

  Values run();

private:
  Value take(Value tensor, int64_t direction);
  Direction makeDirection(unsigned number);
  Values initialState(unsigned number);
  Values runStep(GenericBuilder &inner, const Direction &direction, unsigned number, Value inputGates, Value step,
                 ValueRange before);
  Values runDirection(unsigned number, Value &all);
  Value keepInactive(GenericBuilder &inner, Value time, Value now, Value otherwise);
  Value result(unsigned number, Value value, ArrayRef<int64_t> batchFirstOrder);

  GenericBuilder &b;
  const RecurrentLayer &layer;
  unsigned stateSize;
  Cell cell;
  Type element, type;
  Value x;
  Dim steps, batch;
};

/// Returns the slice of one direction, without the dimension of directions.
Value LayerBuilder::take(Value tensor, int64_t direction) {
  if (!tensor)
    return {};
  Shape offsets(rankOf(tensor), 0), sizes = shapeOf(tensor);
  offsets[0] = direction;
  sizes[0] = 1;
  Value part = b.slice(tensor, offsets, sizes, Ints(sizes.size(), 1));
  return b.convert(b.reshape(part, ShapeRef(sizes).drop_front()), type);
}

Direction LayerBuilder::makeDirection(unsigned number) {
  unsigned perDirection = layer.activations.size() / layer.directions();
  Direction direction{layer,
                      ArrayRef(layer.activations).slice(number * perDirection, perDirection),
                      take(layer.w, number),
                      take(layer.r, number),
                      {},
                      {},
                      take(layer.peepholes, number)};
  if (Value both = take(layer.bias, number)) {
    Dim half = layer.hidden() * layer.gates;
    direction.wBias = b.slice(both, {0}, {half}, {1});
    direction.rBias = b.slice(both, {half}, {half}, {1});
  }
  return direction;
}

Values LayerBuilder::initialState(unsigned number) {
  Values state;
  for (Value initial : {layer.initialH, layer.initialC}) {
    if (state.size() == stateSize)
      break;
    if (initial && layer.batchFirst)
      initial = b.transpose(initial, {1, 0, 2});
    // Sizes may be dynamic here and static in other operands, or the other way round.
    Shape shape = {batch, layer.hidden()};
    state.push_back(initial ? b.reshape(take(initial, number), shape) : b.filled(shape, b.getZeroAttr(type)));
  }
  return state;
}

/// Returns `now` where the sequence has not ended at `time`, otherwise `otherwise` (zero if null).
Value LayerBuilder::keepInactive(GenericBuilder &inner, Value time, Value now, Value otherwise) {
  if (!layer.lengths)
    return now;
  SmallVector<Access> inputs = {inner.whole(now), {layer.lengths, {inner.dim(0)}}};
  if (otherwise)
    inputs.push_back(inner.whole(otherwise));
  return inner.map(shapeOf(now), type, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value isActive = s.compare(Order::Less, time, s.toIndex(x[1]));
    return s.select(isActive, x[0], otherwise ? x[2] : s.number(type, 0));
  });
}

/// Builds step number `step` of a direction. Returns the outputs of all steps, `before` with this step's output
/// inserted, and the next state.
Values LayerBuilder::runStep(GenericBuilder &inner, const Direction &direction, unsigned number, Value inputGates,
                             Value step, ValueRange before) {
  OpFoldResult nought = inner.getIndexAttr(0);
  Dim width = shapeOf(inputGates).back();
  // Backwards in time, a sequence that is shorter than the longest starts later.
  Value time = layer.isReverse(number) ? arith::SubIOp::create(inner, b.size(steps - 1), step).getResult() : step;
  Value gates =
      inner.reshape(inner.sliceAt(inputGates, {time, nought, nought}, {1, batch, width}, {1, 1, 1}), {batch, width});
  ValueRange state = before.drop_front();
  Values entering(state), next;
  if (layer.roundsState && layer.lengths) {
    // The state of a sequence that ended before the last step does not count for the rounding, as in ONNX Runtime.
    Value last = arith::SubIOp::create(inner, time, arith::ConstantIndexOp::create(inner, 1));
    entering.front() = keepInactive(inner, last, entering.front(), {});
  }
  Values after = cell(inner, direction, gates, entering);
  Value output = inner.convert(keepInactive(inner, time, after[0], {}), element);
  next.push_back(inner.insertAt(output, before[0], {time, inner.getIndexAttr(number), nought, nought}, {1, 1, 1, 1}));
  for (auto [old, current] : llvm::zip_equal(state, after))
    next.push_back(keepInactive(inner, time, current, old));
  return next;
}

/// Runs one direction, writes its outputs into `all` (time x direction x batch x hidden) and returns its last state.
Values LayerBuilder::runDirection(unsigned number, Value &all) {
  Direction direction = makeDirection(number);
  // The products of the input are computed for all steps at once: one large product instead of many small ones.
  Value inputGates = project(b, x, direction.w, {direction.wBias, layer.scalesBias ? Value() : direction.rBias});
  Values carried = {all};
  carried.append(initialState(number));
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  // The recurrence of a zero state is zero, so the first step is peeled and does not read these weights.
  bool isPeeled = !layer.initialH && steps.isStatic() && steps.getSize() > 0;
  if (isPeeled) {
    direction.isFirst = true;
    carried = runStep(b, direction, number, inputGates, zero, carried);
    direction.isFirst = false;
  }
  Value end = b.size(isPeeled ? steps - 1 : steps);
  auto loop = scf::ForOp::create(
      b, zero, end, one, carried, [&](OpBuilder &builder, Location loc, Value step, ValueRange args) {
        GenericBuilder inner(loc, builder);
        if (isPeeled)
          step = arith::AddIOp::create(inner, step, one);
        scf::YieldOp::create(builder, loc, runStep(inner, direction, number, inputGates, step, args));
      });
  all = loop.getResult(0);
  return Values(loop.getResults().begin() + 1, loop.getResults().end());
}

Value LayerBuilder::result(unsigned number, Value value, ArrayRef<int64_t> batchFirstOrder) {
  if (number >= layer.op->getNumResults() || onnx::isAbsent(layer.op->getResult(number)))
    return {};
  return layer.batchFirst ? b.transpose(value, batchFirstOrder) : value;
}

Values LayerBuilder::run() {
  int64_t directions = layer.directions();
  Dim hidden = layer.hidden();
  Value all = b.empty({steps, directions, batch, hidden}, element);
  Values last;
  for (unsigned i = 0; i < stateSize; ++i)
    last.push_back(b.empty({directions, batch, hidden}, element));
  for (int64_t number = 0; number < directions; ++number) {
    Values state = runDirection(number, all);
    for (auto [whole, part] : llvm::zip_equal(last, state))
      whole = b.insert(b.reshape(b.convert(part, element), {1, batch, hidden}), whole, {number, 0, 0}, {1, 1, 1});
  }
  Values results = {result(0, all, {2, 0, 1, 3})};
  for (auto [number, state] : llvm::enumerate(last))
    results.push_back(result(number + 1, state, {1, 0, 2}));
  results.resize(layer.op->getNumResults());
  return results;
}

} // namespace

Values runLayer(GenericBuilder &b, const RecurrentLayer &layer, unsigned stateSize, Cell cell) {
  return LayerBuilder(b, layer, stateSize, cell).run();
}

} // namespace cameo::lower
