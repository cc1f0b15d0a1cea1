#include "passes/Schedule/Emission/Gpu/BlockOnlineNest.h"

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

static constexpr int64_t threadRows = onlineRowsOfThread;

BlockOnlineNest::BlockOnlineNest(OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
                                 ArrayRef<Value> buffers, ArrayRef<Value> memory)
    : OnlineNest(builder, attention, tile, buffers), shape(onlineBlock(attention, tile)), queryMemory(memory[0]),
      keyMemory(memory[1]), weightMemory(memory[2]), valueMemory(memory[3]) {}

SmallVector<MemRefType> BlockOnlineNest::memoryOf(const OnlineBlock &block, MLIRContext *context) {
  SmallVector<MemRefType> types;
  for (const OnlineBlock::Memory &each : {block.queries, block.keys, block.weights, block.values})
    types.push_back(sharedMemoryType(Float32Type::get(context), each.elements()));
  return types;
}

Value BlockOnlineNest::readVector(Value source, Value at, int64_t width) {
  Type type = builder.getF32Type();
  return vector::LoadOp::create(builder, loc, VectorType::get({width}, type), source, at, /*nontemporal=*/false,
                                llvm::MaybeAlign(width * bytesOf(type)));
}

void BlockOnlineNest::locate(Value block, Value threadNumber) {
  thread = threadNumber;
  locateBlock(block);
  ownColumn = remainder(thread, onlineThreadsOfRow);
  ownRow = scale(divide(thread, onlineThreadsOfRow), threadRows);
}

/// Returns the number among all rows of row number `row` of the thread.
Value BlockOnlineNest::rowOf(int64_t row) { return rowAt(add(ownRow, constant(row))); }

/// Copies to `into` what `load` reads at the points of `outer` from `begin` on and at all points of `inner`. All
/// threads of the block take part. Elements that do not exist are set to zero.
void BlockOnlineNest::fetch(const LoopNest &nest, NodeId load, const OnlineBlock::Memory &target, Value into,
                            unsigned outer, Value begin, unsigned inner) {
  const Node &node = nest.nodes[load];
  int64_t width = onlineFetchWidth(nest, load, inner), outerExtent = nest.dims[outer].extent,
          innerExtent = nest.dims[inner].extent, across = target.columns / width, pieces = target.rows * across;
  // Neighbouring threads read neighbouring elements, along either dimension.
  bool isOuterFirst = node.address.coefficients[outer] == 1 && width == 1;
  SmallVector<Position> positions = positionsOf(&nest == &attention.scores);
  struct Piece {
    Value exists, target, value;
  };
  auto fetchPiece = [&](Value first) -> Piece {
    Piece piece;
    Value place = first;
    if (pieces % shape.threads != 0) {
      piece.exists = isBelow(place, pieces);
      place = arith::MinUIOp::create(builder, loc, place, constant(pieces - 1));
    }
    int64_t fastest = isOuterFirst ? target.rows : across;
    Value low = arith::RemUIOp::create(builder, loc, place, constant(fastest)),
          high = arith::DivUIOp::create(builder, loc, place, constant(fastest));
    Value row = isOuterFirst ? low : high, column = scale(isOuterFirst ? high : low, width);
    piece.target = add(scale(row, target.stride), column);
    Value at = add(begin, row), isThere;
    if (outerExtent % target.rows != 0) {
      isThere = isBelow(at, outerExtent);
      at = arith::MinUIOp::create(builder, loc, at, constant(outerExtent - 1));
    }
    if (target.columns > innerExtent) {
      Value isInside = isBelow(column, innerExtent);
      isThere = isThere ? arith::AndIOp::create(builder, loc, isThere, isInside).getResult() : isInside;
      column = arith::MinUIOp::create(builder, loc, column, constant(innerExtent - width));
    }
    SmallVector<Position> own = positions;
    own[outer].terms = {{at, 1}};
    own[inner].terms = {{column, 1}};
    NodeEvaluator evaluator(builder, loc, nest, buffers, own);
    Value address = evaluator.address(node.address, Point(nest.dims.size(), 0));
    Type type = VectorType::get({width}, node.type), f32 = VectorType::get({width}, builder.getF32Type());
    Value value = vector::LoadOp::create(builder, loc, cast<VectorType>(type), buffers[node.buffer], address,
                                         /*nontemporal=*/false, llvm::MaybeAlign(width * bytesOf(node.type)));
    if (type != f32)
      value = arith::ExtFOp::create(builder, loc, f32, value);
    if (isThere)
      value = arith::SelectOp::create(builder, loc, isThere, value,
                                      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(f32)));
    piece.value = value;
    return piece;
  };
  // The number of loads in flight at once.
  constexpr int64_t atOnce = 8;
  int64_t rounds = llvm::divideCeil(pieces, shape.threads), before = 0;
  auto fetchRounds = [&](Value first, int64_t count) {
    SmallVector<Piece> fetched;
    for (int64_t round = 0; round < count; ++round)
      fetched.push_back(fetchPiece(add(first, constant(round * shape.threads))));
    for (const Piece &piece : fetched) {
      OpBuilder::InsertionGuard guard(builder);
      if (piece.exists)
        builder.setInsertionPointToStart(
            scf::IfOp::create(builder, loc, piece.exists, /*withElseRegion=*/false).thenBlock());
      vector::StoreOp::create(builder, loc, piece.value, into, piece.target, /*nontemporal=*/false,
                              llvm::MaybeAlign(std::min(width, onlineVector) * bytesOf(builder.getF32Type())));
    }
  };
  if (int64_t loops = rounds / atOnce; loops > 1) {
    auto loop = scf::ForOp::create(builder, loc, thread, add(thread, constant(loops * atOnce * shape.threads)),
                                   constant(atOnce * shape.threads));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    fetchRounds(loop.getInductionVar(), atOnce);
    before = loops * atOnce;
  }
  fetchRounds(add(thread, constant(before * shape.threads)), rounds - before);
}

/// Returns the products of the thread's queries and keys: those of its first row with all of its keys, then those of
/// the next row.
BlockOnlineNest::Values BlockOnlineNest::multiplyQueries() {
  Values sums(threadRows * shape.keysOfThread, number(0));
  auto loop =
      scf::ForOp::create(builder, loc, constant(0), constant(shape.queries.columns), constant(onlineVector), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Values queries, keys;
  for (int64_t row = 0; row < threadRows; ++row)
    queries.push_back(
        readVector(queryMemory, add(scale(add(ownRow, constant(row)), shape.queries.stride), step), onlineVector));
  for (int64_t key = 0; key < shape.keysOfThread; ++key)
    keys.push_back(readVector(keyMemory,
                              add(scale(add(ownColumn, constant(key * onlineThreadsOfRow)), shape.keys.stride), step),
                              onlineVector));
  Values next(loop.getRegionIterArgs());
  for (int64_t lane = 0; lane < onlineVector; ++lane)
    for (int64_t row = 0; row < threadRows; ++row)
      for (int64_t key = 0; key < shape.keysOfThread; ++key) {
        Value product = arith::MulFOp::create(builder, loc, vector::ExtractOp::create(builder, loc, queries[row], lane),
                                              vector::ExtractOp::create(builder, loc, keys[key], lane));
        Value &sum = next[row * shape.keysOfThread + key];
        sum = arith::AddFOp::create(builder, loc, sum, product);
      }
  scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults());
}

BlockOnlineNest::Values BlockOnlineNest::scoresOf(Value firstKey) {
  Values scores = multiplyQueries();
  for (int64_t row = 0; row < threadRows; ++row)
    for (int64_t key = 0; key < shape.keysOfThread; ++key) {
      Value &score = scores[row * shape.keysOfThread + key];
      score = scoreAt(rowOf(row), add(add(firstKey, ownColumn), constant(key * onlineThreadsOfRow)), score);
    }
  return scores;
}

/// Stores the exponentials of `scores` to shared memory, and corrects sums and results for the growth of each row's
/// maximum.
void BlockOnlineNest::weigh(ArrayRef<Value> scores, State &state) {
  int64_t features = shape.features();
  for (int64_t row = 0; row < threadRows; ++row) {
    ArrayRef<Value> own = scores.slice(row * shape.keysOfThread, shape.keysOfThread);
    Value greatest = own.front();
    for (Value score : own.drop_front())
      greatest = arith::MaximumFOp::create(builder, loc, greatest, score);
    Growth growth = grow(state.maxima[row], exchange(greatest, /*isSum=*/false, onlineThreadsOfRow));
    Value sum = number(0);
    for (auto [key, score] : llvm::enumerate(own)) {
      Value weight = power(score, growth.reference);
      sum = arith::AddFOp::create(builder, loc, sum, weight);
      Value at = add(scale(add(ownRow, constant(row)), shape.weights.stride),
                     add(ownColumn, constant(static_cast<int64_t>(key) * onlineThreadsOfRow)));
      memref::StoreOp::create(builder, loc, weight, weightMemory, at);
    }
    state.maxima[row] = growth.maximum;
    state.sums[row] = arith::AddFOp::create(
        builder, loc, arith::MulFOp::create(builder, loc, state.sums[row], growth.correction), sum);
    for (int64_t feature = 0; feature < features; ++feature) {
      Value &result = state.results[row * features + feature];
      result = arith::MulFOp::create(builder, loc, result, growth.correction);
    }
  }
}

/// Adds the weighted values of the part to the results.
void BlockOnlineNest::addValues(State &state) {
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(tile.keys), constant(onlineVector), state.results);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Values weights, results(loop.getRegionIterArgs());
  for (int64_t row = 0; row < threadRows; ++row)
    weights.push_back(
        readVector(weightMemory, add(scale(add(ownRow, constant(row)), shape.weights.stride), step), onlineVector));
  int64_t features = shape.features();
  for (int64_t lane = 0; lane < onlineVector; ++lane) {
    Value before = scale(add(step, constant(lane)), shape.values.stride);
    int64_t first = 0;
    for (const OnlineBlock::Columns &columns : shape.columns) {
      Value values = readVector(valueMemory, add(add(before, scale(ownColumn, columns.width)), constant(columns.begin)),
                                columns.width);
      for (int64_t each = 0; each < columns.width; ++each)
        for (int64_t row = 0; row < threadRows; ++row) {
          Value &result = results[row * features + first + each];
          Value product =
              arith::MulFOp::create(builder, loc, vector::ExtractOp::create(builder, loc, weights[row], lane),
                                    vector::ExtractOp::create(builder, loc, values, each));
          result = arith::AddFOp::create(builder, loc, result, product);
        }
      first += columns.width;
    }
  }
  scf::YieldOp::create(builder, loc, results);
  state.results.assign(loop.getResults().begin(), loop.getResults().end());
}

/// After the first barrier no thread reads the previous part any more. The other barriers order the stores of all
/// threads before the loads.
BlockOnlineNest::State BlockOnlineNest::computePart(Value part, State state) {
  Value firstKey = scale(part, tile.keys);
  if (shape.parts > 1)
    gpu::BarrierOp::create(builder, loc);
  fetch(attention.scores, attention.query.right, shape.keys, keyMemory, attention.key.ofScores, firstKey,
        attention.depth);
  fetch(attention.values, attention.value.right, shape.values, valueMemory, attention.key.ofValues, firstKey,
        attention.feature);
  gpu::BarrierOp::create(builder, loc);
  weigh(scoresOf(firstKey), state);
  gpu::BarrierOp::create(builder, loc);
  addValues(state);
  return state;
}

/// Divides the results by the sums, and stores the outputs that the nest of the values computes from them.
void BlockOnlineNest::store(const State &state) {
  const LoopNest &nest = attention.values;
  int64_t features = shape.features();
  for (int64_t row = 0; row < threadRows; ++row) {
    Value sum = exchange(state.sums[row], /*isSum=*/true, onlineThreadsOfRow);
    Value inverse = arith::DivFOp::create(builder, loc, number(1), sum);
    OpBuilder::InsertionGuard guard(builder);
    if (attention.rows() % tile.rows != 0) {
      Value exists = isBelow(add(add(firstRow, ownRow), constant(row)), attention.rows());
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
    }
    int64_t first = row * features;
    for (const OnlineBlock::Columns &columns : shape.columns) {
      OpBuilder::InsertionGuard inner(builder);
      if (columns.begin + columns.width * onlineThreadsOfRow > attention.features()) {
        Value at = add(scale(ownColumn, columns.width), constant(columns.begin));
        Value exists = isBelow(at, attention.features());
        builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
      }
      SmallVector<Position> positions = positionsOf(/*ofScores=*/false);
      positions[attention.row.ofValues].terms = {{rowOf(row), 1}};
      positions[attention.feature].terms = {{ownColumn, columns.width}};
      Point point(nest.dims.size(), 0);
      point[attention.feature] = columns.begin;
      std::vector<SmallVector<Value>> results;
      for (int64_t each = 0; each < columns.width; ++each)
        results.push_back({arith::MulFOp::create(builder, loc, state.results[first + each], inverse)});
      LaneEvaluator evaluator(builder, nest, buffers, positions, {attention.feature, columns.width});
      for (const Output &output : nest.outputs)
        evaluator.storeLanes(output, point, results);
      first += columns.width;
    }
  }
}

void BlockOnlineNest::emit(Value block, Value threadNumber) {
  locate(block, threadNumber);
  fetch(attention.scores, attention.query.left, shape.queries, queryMemory, attention.row.ofScores, firstRow,
        attention.depth);
  State state{Values(threadRows, number(-infinity)), Values(threadRows, number(0)),
              Values(threadRows * shape.features(), number(0))};
  if (shape.parts == 1) {
    store(computePart(constant(0), std::move(state)));
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(shape.parts), constant(1), state.all());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    State next = computePart(loop.getInductionVar(), State::of(loop.getRegionIterArgs(), threadRows));
    scf::YieldOp::create(builder, loc, next.all());
  }
  store(State::of(loop.getResults(), threadRows));
}

} // namespace cameo::schedule
