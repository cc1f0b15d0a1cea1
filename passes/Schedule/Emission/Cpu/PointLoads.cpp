// Emits loads of single points: elements, vectors, masked lanes, transposed squares, shared groups and gathers.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "passes/Schedule/Emission/Cpu/TransposeLanes.h"
#include "passes/Schedule/Nests/FlattenedRows.h"
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/FactorLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

Value PointEvaluator::laneOffsets(const Size &stride) {
  auto type = VectorType::get(schedule.lanes, builder.getIndexType());
  int64_t step = stride.isKnown() ? int64_t(stride) : 1;
  auto numbers = llvm::map_to_vector(llvm::seq<int64_t>(0, schedule.lanes),
                                     [&](int64_t lane) { return APInt(64, lane * step, /*isSigned=*/true); });
  Value offsets = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, numbers));
  return stride.isKnown() ? offsets
                          : arith::MulIOp::create(builder, loc, offsets, asVector(indexConstant(stride))).getResult();
}

/// Loads `count` elements as they are stored, those of `mask` if there is one.
Value PointEvaluator::loadStored(const Node &node, Value address, int64_t count, Value mask) {
  Value memory = buffers[node.buffer];
  auto type = VectorType::get(count, cast<MemRefType>(memory.getType()).getElementType());
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, memory, address);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, memory, address, mask, zero);
}

/// Loads the elements at `offsets` from `address`, one for each lane, by shuffling them out of the vectors that hold
/// them. These vectors hold `elements`, nothing before or behind which is read; `vectors` has those that were loaded
/// before. `maskOf` says which of `count` elements from `first` on may be read, if not all.
Value PointEvaluator::loadShuffled(const Node &node, Value address, ArrayRef<int64_t> offsets, Reach<int64_t> elements,
                                   SmallVectorImpl<Value> &vectors,
                                   llvm::function_ref<Value(int64_t first, int64_t count)> maskOf) {
  int64_t least = elements.least, end = elements.greatest + 1;
  int64_t width = std::min<int64_t>(schedule.lanes, end - least), count = offsets.size();
  vectors.resize(llvm::divideCeil(elements.count(), width));
  // Shuffles are of integers in place of bf16: LLVM 22 has no code for x86-64 that widens vectors of bf16 whose size is
  // one more than a multiple of eight.
  Type stored = cast<MemRefType>(buffers[node.buffer].getType()).getElementType(),
       moved = stored.isBF16() ? Type(builder.getI16Type()) : stored;
  auto asVectorOf = [&](Type element, Value vector) {
    auto type = cast<VectorType>(vector.getType());
    return type.getElementType() == element
               ? vector
               : vector::BitCastOp::create(builder, loc, type.clone(element), vector).getResult();
  };
  Value shuffled;
  SmallVector<bool> known(count);
  for (int64_t from = least; from < end; from += width) {
    int64_t first = std::min(from, end - width);
    SmallVector<int64_t> mask(schedule.lanes, vector::ShuffleOp::kPoisonIndex);
    bool isUsed = false;
    for (auto [lane, offset] : llvm::enumerate(offsets)) {
      if (known[lane]) {
        mask[lane] = lane;
      } else if (offset >= first && offset < first + width) {
        mask[lane] = (shuffled ? schedule.lanes : 0) + offset - first;
        known[lane] = isUsed = true;
      }
    }
    if (!isUsed)
      continue;
    // Lanes after the last element repeat the first one, so that computations on them are defined.
    if (llvm::all_of(known, [](bool isKnown) { return isKnown; }))
      std::fill(mask.begin() + count, mask.end(), mask.front());
    Value &loaded = vectors[(from - least) / width];
    if (!loaded) {
      Value at = first == 0 ? address : arith::AddIOp::create(builder, loc, address, indexConstant(first)).getResult();
      loaded = asVectorOf(moved, loadStored(node, at, width, maskOf ? maskOf(first, width) : Value()));
    }
    shuffled = vector::ShuffleOp::create(builder, loc, shuffled ? shuffled : loaded, loaded, mask);
  }
  return fromStorage(asVectorOf(stored, shuffled), node.type);
}

/// Returns the rows that hold the lanes if `id` is their number along the vector dimension, or nothing if the place of
/// the first lane in its row differs among iterations of the loops.
std::optional<PointEvaluator::KnownRows> PointEvaluator::knownRows(NodeId id, const Point &point) {
  std::optional<RowNumber> row = rowNumber(nest, id);
  if (!row || row->dim != schedule.vectorDim)
    return std::nullopt;
  const Position &position = positions[row->dim];
  auto isWhole = [&](const auto &term) { return term.second % row->width == 0; };
  if (position.length || !llvm::all_of(position.terms, isWhole))
    return std::nullopt;
  int64_t first = position.constant + point[row->dim];
  KnownRows rows{indexConstant(first / row->width), {}};
  for (auto [value, scale] : position.terms) {
    Value before = arith::MulIOp::create(builder, loc, value, indexConstant(scale / row->width));
    rows.first = arith::AddIOp::create(builder, loc, rows.first, before);
  }
  for (int64_t lane = 0; lane < lanesAt(point); ++lane)
    rows.further.push_back((first + lane) / row->width - first / row->width);
  return rows;
}

/// Returns a vector along flattened rows, or null if they are not made by shuffles or the place of the first lane in
/// its row differs among iterations of the loops.
Value PointEvaluator::loadRows(const Node &node, const Point &point) {
  unsigned dim = *schedule.vectorDim;
  const Position &position = positions[dim];
  std::optional<FlattenedRows> rows = flattenedRows(nest, node, dim);
  // Rows that all read the same are read whole, however many points are left.
  if (!rows || (position.length && rows->rowStride() != 0) || !instructionsOfRows(nest, node, dim, schedule.lanes) ||
      llvm::any_of(position.terms, [&](const auto &term) { return term.second % rows->width != 0; }))
    return {};
  int64_t first = position.constant + point[dim];
  LinearForm form = node.address;
  form.coefficients[dim] = 0;
  form.constant += rows->offset(first);
  Value further;
  for (auto [value, scale] : position.terms)
    if (int64_t distance = scale / rows->width * rows->rowStride()) {
      Value scaled = arith::MulIOp::create(builder, loc, value, indexConstant(distance));
      further = further ? arith::AddIOp::create(builder, loc, further, scaled).getResult() : scaled;
    }
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < lanesAt(point); ++lane)
    offsets.push_back(rows->offset(first + lane) - rows->offset(first));
  SmallVector<Value> vectors;
  return loadShuffled(node, address(form, point, further), offsets,
                      {*llvm::min_element(offsets), *llvm::max_element(offsets)}, vectors);
}

/// Returns the elements of `point` and of every few elements after it. Points between these (steps of a sum, channels)
/// are in the same vectors, which are loaded once.
Value PointEvaluator::loadSpread(const Node &node, const Point &point) {
  int64_t stride = node.address.coefficients[*schedule.vectorDim], between = 1, offset = 0;
  Point first = point;
  if (std::optional<unsigned> dim = dimBetweenLanes(nest, node, *schedule.vectorDim, schedule.lanes);
      dim && !positions[*dim].length) {
    first[*dim] = llvm::alignDown(point[*dim], std::abs(stride));
    between = std::min(std::abs(stride), positions[*dim].size - first[*dim]);
    offset = point[*dim] - first[*dim];
  }
  int64_t last = (lanesAt(point) - 1) * stride;
  auto maskOf = [&](int64_t from, int64_t count) {
    return positions[*schedule.vectorDim].length ? maskOfElements(point, stride, between, from, count) : Value();
  };
  auto offsets =
      llvm::map_to_vector(llvm::seq<int64_t>(0, lanesAt(point)), [&](int64_t lane) { return lane * stride + offset; });
  return loadShuffled(node, address(node.address, first), offsets,
                      {std::min<int64_t>(last, 0), std::max<int64_t>(last, 0) + between - 1}, squares[{&node, first}],
                      maskOf);
}

Value PointEvaluator::loadLanes(const Node &node, Value address, const Size &stride, const Point &point) {
  bool isCounted = positions[*schedule.vectorDim].length != nullptr;
  if (isSpread(node, *schedule.vectorDim, schedule.lanes) && (!isCounted || hasMaskRegisters()) &&
      (lanesAt(point) - 1) * std::abs(int64_t(stride)) >= schedule.lanes - 1)
    return loadSpread(node, point);
  if (isCounted)
    return loadMaskedLanes(node, address, laneOffsets(stride), maskAt(point));
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanesAt(point); ++lane) {
    Value at =
        lane == 0 ? address : arith::AddIOp::create(builder, loc, address, indexConstant(lane * stride)).getResult();
    elements.push_back(loadScalar(node, at));
  }
  elements.resize(schedule.lanes, elements.front());
  return vector::FromElementsOp::create(builder, loc, VectorType::get(schedule.lanes, node.type), elements);
}

Value PointEvaluator::loadVector(const Node &node, Value address, Value mask) {
  return fromStorage(loadStored(node, address, schedule.lanes, mask), node.type);
}

Value PointEvaluator::load(const Node &node, const Point &point) {
  if (node.packed) // padded to whole vectors
    return loadVector(node, address(packedForm(node, point), point), /*mask=*/{});
  if (node.shared)
    return loadShared(node, point);
  if (auto [factors, step] = loadFactors(node, point, /*elements=*/1); factors && !schedule.dotDim)
    return vector::ExtractOp::create(builder, loc, factors, step);
  Value at = address(node.address, point);
  if (!isVector(node))
    return loadScalar(node, at);
  const Size &stride = node.address.coefficients[*schedule.vectorDim];
  if (stride == 1)
    return loadVector(node, at, maskAt(point));
  if (std::optional<unsigned> along = transposedDim(nest, node, *schedule.vectorDim, schedule.lanes, /*rowDims=*/0);
      along && positions[*along].size > 1 && schedule.lanes <= maxTransposedLanes)
    return loadTransposed(node, point, *along);
  return loadLanes(node, at, stride, point);
}

/// Returns a row of the transposed square that contains `point`.
Value PointEvaluator::loadTransposed(const Node &node, const Point &point, unsigned along) {
  Point first = point;
  first[along] = llvm::alignDown(point[along], int64_t(schedule.lanes));
  SmallVector<Value> &square = squares[{&node, first}];
  if (square.empty()) {
    int64_t width = std::min<int64_t>(schedule.lanes, positions[along].size - first[along]);
    Point from = first;
    for (; std::ssize(square) < lanesAt(point); ++from[*schedule.vectorDim]) {
      Value at = address(node.address, from);
      if (positions[*schedule.vectorDim].length)
        at = orFirstElement(at, from);
      square.push_back(loadVector(node, at, maskOf(width)));
    }
    square.resize(schedule.lanes, square.front());
    square = transposeLanes(builder, loc, std::move(square));
  }
  return square[point[along] - first[along]];
}

std::pair<Value, int64_t> PointEvaluator::loadFactors(const Node &node, const Point &point, int64_t elements) {
  std::optional<FactorLanes> lanes =
      factorLanes(nest, schedule, machine, static_cast<NodeId>(&node - nest.nodes.data()));
  if (!lanes || positions[lanes->dim].length)
    return {};
  int64_t count = lanes->steps * elements;
  Point first = point;
  first[lanes->dim] = llvm::alignDown(point[lanes->dim], count);
  // The remainder of a dimension may have fewer steps.
  if (first[lanes->dim] + count > positions[lanes->dim].size)
    return {};
  Value &loaded = factors[{&node, constantPart(node.address, first)}];
  if (!loaded)
    loaded = vector::LoadOp::create(builder, loc, VectorType::get(count, node.type), buffers[node.buffer],
                                    address(node.address, first));
  return {loaded, (point[lanes->dim] - first[lanes->dim]) / elements};
}

/// Loads one group and broadcasts it to all lanes.
Value PointEvaluator::loadSharedGroup(const Node &node, const Point &point) {
  auto repeat = [&](Value words, int64_t number) -> Value {
    Value repeated = vector::BroadcastOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI32Type()),
                                                 vector::ExtractOp::create(builder, loc, words, number));
    return vector::BitCastOp::create(builder, loc, VectorType::get(dotGroup * schedule.lanes, node.type), repeated);
  };
  if (auto [factors, step] = loadFactors(node, point, dotGroup); factors) {
    int64_t count = cast<VectorType>(factors.getType()).getNumElements() / dotGroup;
    return repeat(vector::BitCastOp::create(builder, loc, VectorType::get(count, builder.getI32Type()), factors), step);
  }
  unsigned dim = *schedule.dotDim;
  Value memory = buffers[node.buffer], at = address(node.address, point);
  int64_t left = positions[dim].size - point[dim];
  auto type = VectorType::get(dotGroup, node.type);
  Value group;
  if (left >= dotGroup) {
    group = vector::LoadOp::create(builder, loc, type, memory, at);
  } else {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(node.type));
    SmallVector<Value> bytes(dotGroup, zero);
    for (int64_t number = 0; number < left; ++number) {
      Value from = number == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(number)).getResult();
      bytes[number] = loadScalar(node, from);
    }
    group = vector::FromElementsOp::create(builder, loc, type, bytes);
  }
  return repeat(vector::BitCastOp::create(builder, loc, VectorType::get(1, builder.getI32Type()), group), 0);
}

Value PointEvaluator::loadGroup(NodeId id, const Point &point) {
  const Node &node = nest.nodes[id];
  LinearForm form = node.packed ? packedForm(node, point) : node.address;
  // Windows overlap: a group that is partial for one point may be complete for another.
  int64_t bytes =
      node.packed ? dotGroup : std::min(dotGroup, positions[*schedule.dotDim].size - point[*schedule.dotDim]);
  Value &group = groups[{id, constantPart(form, point), bytes}];
  if (!group && node.packed)
    group = vector::LoadOp::create(builder, loc, VectorType::get(dotGroup * schedule.lanes, node.type),
                                   buffers[node.buffer], address(form, point));
  else if (!group)
    group = loadSharedGroup(node, point);
  return group;
}

Value PointEvaluator::gather(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  if (isVector(node))
    if (Value rows = loadRows(node, point))
      return rows;
  SmallVector<Value> indices;
  SmallVector<std::optional<KnownRows>> known;
  bool uniform = true;
  for (NodeId operand : node.operands) {
    known.push_back(knownRows(operand, point));
    indices.push_back(known.back() ? known.back()->first : evaluate(operand, point, accumulators));
    uniform &= !known.back() && !isa<VectorType>(indices.back().getType());
  }
  Size laneStride = schedule.vectorDim ? node.address.coefficients[*schedule.vectorDim] : Size(0);
  auto addressOf = [&](int64_t lane) {
    Value further;
    Size offset = laneStride * lane;
    for (auto [index, stride, rows] : llvm::zip_equal(indices, node.strides, known)) {
      Value scalar = index;
      if (isa<VectorType>(index.getType()))
        scalar = vector::ExtractOp::create(builder, loc, index, lane);
      Value scaled = arith::MulIOp::create(builder, loc, scalar, indexConstant(stride));
      further = further ? arith::AddIOp::create(builder, loc, further, scaled).getResult() : scaled;
      if (rows)
        offset = offset + stride * rows->further[lane];
    }
    Value at = address(node.address, point, further);
    if (offset != 0)
      at = arith::AddIOp::create(builder, loc, at, indexConstant(offset));
    return at;
  };
  if (!isVector(node))
    return loadScalar(node, addressOf(0));
  if (uniform && laneStride == 1)
    return loadVector(node, addressOf(0), maskAt(point));
  if (positions[*schedule.vectorDim].length) {
    Value offsets = laneOffsets(laneStride);
    for (auto [index, stride] : llvm::zip_equal(indices, node.strides)) {
      Value scaled = arith::MulIOp::create(builder, loc, asVector(index), asVector(indexConstant(stride)));
      offsets = arith::AddIOp::create(builder, loc, offsets, scaled);
    }
    return loadMaskedLanes(node, address(node.address, point), offsets, maskAt(point));
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanesAt(point); ++lane)
    elements.push_back(loadScalar(node, addressOf(lane)));
  elements.resize(schedule.lanes, elements.front());
  return vector::FromElementsOp::create(builder, loc, VectorType::get(schedule.lanes, node.type), elements);
}

} // namespace cameo::schedule
