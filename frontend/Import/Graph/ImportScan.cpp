// Imports Scan, a loop over slices. A Scan of known length is unrolled up to a limit; any other becomes a loop of the
// compiled model.
#include "frontend/Import/Graph/ControlOperands.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunLoop.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

/// Returns the integers of an attribute, or `count` zeros if it is missing or has another length.
static SmallVector<int64_t> getInts(const ::onnx::AttributeProto *attribute, size_t count) {
  SmallVector<int64_t> values(count, 0);
  if (attribute && attribute->ints_size() == static_cast<int>(count))
    llvm::copy(attribute->ints(), values.begin());
  return values;
}

/// The operands and attributes of a Scan.
struct GraphImporter::ScanForm {
  SmallVector<Value> carried, scanned;
  /// Axes and directions of the scanned inputs and outputs. A direction is 0 for forward and 1 for backward.
  SmallVector<int64_t> inputAxes, inputBack, outputAxes, outputBack;
  cameo::Dim length; ///< of all scanned inputs along their axes
};

GraphImporter::Results GraphImporter::importScan(const ::onnx::NodeProto &node, int version, ArrayRef<Value> operands,
                                                 Location loc, const Scope &scope, StringRef path, unsigned index) {
  FailureOr<const ::onnx::GraphProto *> body = getSubgraph(node, "body", loc);
  const ::onnx::AttributeProto *inputCount = findAttribute(node, "num_scan_inputs");
  if (failed(body))
    return failure();
  // Version 8 has sequence lengths as the first operand, and a leading batch dimension in all inputs and outputs.
  bool isBatched = version < 9;
  if (isBatched && !operands.empty() && !cameo::onnx::isAbsent(operands[0]))
    return emitError(loc) << "a Scan with 'sequence_lens' is not supported";
  ArrayRef<Value> inputs = operands.drop_front(isBatched && !operands.empty());
  int64_t scanned = inputCount ? inputCount->i() : 0;
  if (scanned < 1 || scanned > static_cast<int64_t>(inputs.size()))
    return emitError(loc) << "expected 'num_scan_inputs' in [1, " << inputs.size() << "], got " << scanned;
  if (!isBatched)
    return importScanned(node, **body, inputs, scanned, loc, scope, path, index);
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(inputs.back());
  if (!dims || dims->size() < 2 || !dims->front().isStatic() || dims->front().getSize() < 1)
    return emitError(loc) << "expected a batch of a known size of 1 or more, got " << inputs.back().getType();
  OperationMaker maker(builder, loc);
  SmallVector<SmallVector<Value>> entries;
  NodeBudget budget(*this, kMaxUnrolledNodes);
  for (int64_t entry = 0; entry < dims->front().getSize(); ++entry) {
    SmallVector<Value> own;
    for (Value input : inputs) {
      FailureOr<Value> part = maker.at(input, entry, 0);
      if (failed(part))
        return failure();
      own.push_back(*part);
    }
    Results made = importScanned(node, **body, own, scanned, loc, scope, path, index);
    if (failed(made) && budget.isSpent())
      return emitError(loc) << "expected a batch of at most " << kMaxUnrolledNodes
                            << " nodes, one Scan per entry, got more";
    if (failed(made))
      return failure();
    entries.resize(made->size());
    for (auto [list, value] : llvm::zip_equal(entries, *made))
      list.push_back(value);
  }
  SmallVector<Value> results;
  for (ArrayRef<Value> list : entries) {
    FailureOr<Value> stacked = maker.stack(list, list.front().getType(), 0);
    if (failed(stacked))
      return failure();
    results.push_back(*stacked);
  }
  return results;
}

/// Reads the attributes and the common length of the scanned inputs. Fails after an error if they do not have one.
FailureOr<GraphImporter::ScanForm> GraphImporter::readScan(const ::onnx::NodeProto &node,
                                                           const ::onnx::GraphProto &body, ArrayRef<Value> inputs,
                                                           int64_t scanned, Location loc) {
  ScanForm scan;
  scan.carried.assign(inputs.begin(), inputs.end() - scanned);
  scan.scanned.assign(inputs.end() - scanned, inputs.end());
  if (body.output_size() < static_cast<int>(scan.carried.size()))
    return emitError(loc) << "expected a body that makes the " << scan.carried.size()
                          << " values which the loop carries, got " << body.output_size();
  size_t outputs = body.output_size() - scan.carried.size();
  scan.inputAxes = getInts(findAttribute(node, "scan_input_axes"), scanned);
  const ::onnx::AttributeProto *directions = findAttribute(node, "scan_input_directions");
  // Version 8 has another name for them.
  scan.inputBack = getInts(directions ? directions : findAttribute(node, "directions"), scanned);
  scan.outputAxes = getInts(findAttribute(node, "scan_output_axes"), outputs);
  scan.outputBack = getInts(findAttribute(node, "scan_output_directions"), outputs);
  for (auto [axis, input] : llvm::zip_equal(scan.inputAxes, scan.scanned)) {
    std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(input);
    int64_t rank = dims ? dims->size() : 0;
    axis += axis < 0 ? rank : 0;
    if (!dims || axis < 0 || axis >= rank || (*dims)[axis].isUnknown() || scan.length.differsFrom((*dims)[axis]))
      return emitError(loc) << "expected scanned inputs of one known length along their axes, got " << input.getType();
    if (!scan.length.isStatic())
      scan.length = (*dims)[axis];
  }
  return scan;
}

GraphImporter::Results GraphImporter::importScanned(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                                                    ArrayRef<Value> inputs, int64_t scanned, Location loc,
                                                    const Scope &scope, StringRef path, unsigned index) {
  FailureOr<ScanForm> scan = readScan(node, body, inputs, scanned, loc);
  if (failed(scan))
    return failure();
  auto importInputs = [&](ArrayRef<Value> own) -> Results {
    Results made = importBody(body, own, loc, scope, path, index);
    if (failed(made) ||
        failed(expectCarried(body, 0, scan->carried, ArrayRef(*made).take_front(scan->carried.size()), loc)))
      return failure();
    return made;
  };
  return chooseForm(
      loc, [&] { return unrollScan(*scan, loc, importInputs); },
      [&](bool) { return importRunScan(*scan, loc, importInputs); });
}

/// Returns the types of the slices that an iteration produces, for a Scan of length 0. Imports the body tentatively.
FailureOr<SmallVector<Type>> GraphImporter::findSliceTypes(const ScanForm &scan, Location loc,
                                                           BodyImport importInputs) {
  Trial trial(builder);
  SmallVector<Value> own(scan.carried);
  for (auto [input, axis] : llvm::zip_equal(scan.scanned, scan.inputAxes)) {
    cameo::onnx::DimList dims = *cameo::onnx::getDims(input);
    dims.erase(dims.begin() + axis);
    Type type = cameo::onnx::makeTensorType(dims, cast<TensorType>(input.getType()).getElementType());
    own.push_back(UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), ValueRange()).getResult(0));
  }
  Results made = importInputs(own);
  if (failed(made))
    return failure();
  SmallVector<Type> types(ValueRange(*made).drop_front(scan.carried.size()).getTypes());
  trial.undo();
  return types;
}

GraphImporter::Attempt GraphImporter::unrollScan(const ScanForm &scan, Location loc, BodyImport importInputs) {
  if (!scan.length.isStatic())
    return std::optional<SmallVector<Value>>();
  OperationMaker maker(builder, loc);
  SmallVector<SmallVector<Value>> scans(scan.outputAxes.size());
  SmallVector<Value> carried(scan.carried);
  for (int64_t iteration = 0; iteration < scan.length.getSize(); ++iteration) {
    SmallVector<Value> own(carried);
    for (auto [input, axis, isBack] : llvm::zip_equal(scan.scanned, scan.inputAxes, scan.inputBack)) {
      FailureOr<Value> part = maker.at(input, isBack ? scan.length.getSize() - 1 - iteration : iteration, axis);
      if (failed(part))
        return failure();
      own.push_back(*part);
    }
    Results made = importInputs(own);
    if (failed(made))
      return failure();
    carried.assign(made->begin(), made->begin() + carried.size());
    for (auto [number, list] : llvm::enumerate(scans))
      list.insert(scan.outputBack[number] ? list.begin() : list.end(), (*made)[carried.size() + number]);
  }
  FailureOr<SmallVector<Type>> types =
      scans.empty() || !scans.front().empty()
          ? SmallVector<Type>(llvm::map_range(scans, [](ArrayRef<Value> list) { return list.front().getType(); }))
          : findSliceTypes(scan, loc, importInputs);
  if (failed(types))
    return failure();
  SmallVector<Value> results = carried;
  for (auto [axis, list, type] : llvm::zip_equal(scan.outputAxes, scans, *types)) {
    FailureOr<Value> stacked = maker.stack(list, type, axis);
    if (failed(stacked))
      return failure();
    results.push_back(*stacked);
  }
  return std::optional(results);
}

static FailureOr<Value> makeLength(OperationMaker &maker, Value input, int64_t axis) {
  FailureOr<Value> shape = maker.make("Shape", {input});
  return failed(shape) ? shape : maker.at(*shape, axis, 0);
}

/// Returns the positions `places` along an axis, counted from its end.
static FailureOr<Value> countBack(OperationMaker &maker, Value input, int64_t axis, Value places) {
  FailureOr<Value> length = makeLength(maker, input, axis);
  FailureOr<Value> last = failed(length) ? length : maker.make("Sub", {*length, maker.scalar(1)});
  return failed(last) ? last : maker.make("Sub", {*last, places});
}

/// Returns the slice for iteration `iteration`, which counts from the end of the axis if `isBack` is true.
static FailureOr<Value> takeSlice(OperationMaker &maker, Value input, int64_t axis, bool isBack, Value iteration) {
  FailureOr<Value> place = isBack ? countBack(maker, input, axis, iteration) : iteration;
  return failed(place) ? place : maker.make("Gather", {input, *place}, maker.axis(axis));
}

/// Reverses slices that are stacked along the first axis if `isBack` is true, and moves this axis to `axis`.
static FailureOr<Value> arrangeSlices(OperationMaker &maker, OpBuilder &builder, Value stacked, int64_t axis,
                                      bool isBack) {
  FailureOr<Value> arranged = stacked;
  if (isBack) {
    FailureOr<Value> length = makeLength(maker, stacked, 0);
    FailureOr<Value> places =
        failed(length) ? length : maker.make("Range", {maker.scalar(0), *length, maker.scalar(1)});
    FailureOr<Value> order = failed(places) ? places : countBack(maker, stacked, 0, *places);
    arranged = failed(order) ? order : maker.make("Gather", {stacked, *order}, maker.axis(0));
  }
  int64_t rank = cast<RankedTensorType>(stacked.getType()).getRank();
  axis += axis < 0 ? rank : 0;
  if (failed(arranged) || axis == 0)
    return arranged;
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    order.push_back(i == axis ? 0 : i < axis ? i + 1 : i);
  return maker.make("Transpose", {*arranged}, builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(order)));
}

GraphImporter::Results GraphImporter::importRunScan(const ScanForm &scan, Location loc, BodyImport importInputs) {
  OperationMaker maker(builder, loc);
  FailureOr<Value> length = makeLength(maker, scan.scanned.front(), scan.inputAxes.front());
  if (failed(length))
    return failure();
  RunLoop loop{*length, Value(), scan.carried, scan.length, /*isExact=*/true};
  FailureOr<RunLoopResults> made =
      makeRunLoop(builder, loc, loop, [&](Value iteration, ArrayRef<Value> carried) -> Results {
        SmallVector<Value> own(carried);
        for (auto [input, axis, isBack] : llvm::zip_equal(scan.scanned, scan.inputAxes, scan.inputBack)) {
          FailureOr<Value> part = takeSlice(maker, input, axis, isBack, iteration);
          if (failed(part))
            return failure();
          own.push_back(*part);
        }
        Results results = importInputs(own);
        if (succeeded(results))
          results->insert(results->begin(), Value()); // a Scan has no condition
        return results;
      });
  if (failed(made))
    return failure();
  SmallVector<Value> results = made->last;
  for (auto [stacked, axis, isBack] : llvm::zip_equal(made->stacked, scan.outputAxes, scan.outputBack)) {
    FailureOr<Value> arranged = arrangeSlices(maker, builder, stacked, axis, isBack);
    if (failed(arranged))
      return failure();
    results.push_back(*arranged);
  }
  return results;
}
