#include "passes/Schedule/Emission/Gpu/Mma/MmaOnlineNest.h"

#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Emission/Gpu/TileStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

MmaOnlineNest::MmaOnlineNest(OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
                             const TensorShape &tensor, ArrayRef<Value> buffers, ArrayRef<Value> memory)
    : OnlineNest(builder, attention, tile, buffers), shape(mmaOnlineBlock(attention, tile)), memory(memory),
      scoreProduct(builder, attention.scores, attention.query, tensor),
      valueProduct(builder, attention.values, attention.value, tensor) {}

SmallVector<MemRefType> MmaOnlineNest::memoryOf(const MmaOnlineBlock &block, const Attention &attention) {
  const Node &query = attention.scores.nodes[attention.query.left],
             &key = attention.scores.nodes[attention.query.right],
             &value = attention.values.nodes[attention.value.right];
  return {sharedMemoryType(query.type, block.queryLayout(attention).elements),
          sharedMemoryType(key.type, block.keyLayout(attention).elements * block.stages),
          sharedMemoryType(value.type, block.valueLayout(attention).elements * block.stages)};
}

/// Steps iterate over keys and depths, so those dimensions get no begin.
void MmaOnlineNest::locate(Value block, Value thread) {
  locateBlock(block);
  warp = divide(thread, GpuMachine::warpThreads);
  lane = remainder(thread, GpuMachine::warpThreads);
  auto place = [&](const LoopNest &nest, bool ofScores, unsigned row) {
    TilePlace placed{thread, Values(nest.dims.size()), Values(nest.dims.size())};
    for (auto [pair, at] : llvm::zip_equal(attention.outer, outerAt))
      placed.begins[ofScores ? pair.ofScores : pair.ofValues] = at;
    placed.begins[row] = firstRow;
    placed.threadIn[row] = warp;
    return placed;
  };
  scorePlace = place(attention.scores, /*ofScores=*/true, attention.row.ofScores);
  valuePlace = place(attention.values, /*ofScores=*/false, attention.row.ofValues);
  valuePlace.begins[attention.feature] = constant(0);
}

/// f32 keys are interleaved, so that the weights that are computed from them have the order in which values are read.
void MmaOnlineNest::prepareOperands() {
  const LoopNest &scores = attention.scores, &sums = attention.values;
  auto share = [&](std::optional<SharedOperand> &operand, const LoopNest &nest, NodeId load, const BlockTile &tile,
                   const TilePlace &place, Value memory) {
    operand.emplace(builder, nest, load, tile, place, buffers[nest.nodes[load].buffer], memory);
  };
  share(sharedQueries, scores, attention.query.left, shape.scores, scorePlace, memory[0]);
  share(sharedKeys, scores, attention.query.right, shape.scores, scorePlace, memory[1]);
  share(sharedValues, sums, attention.value.right, shape.values, valuePlace, memory[2]);
  int64_t depth = shape.scores.dims[attention.depth].block;
  queries.emplace(builder, scores, *sharedQueries, scoreProduct, MmaSide{/*isLeft=*/true, mmaRows, depth}, lane);
  keys.emplace(builder, scores, *sharedKeys, scoreProduct,
               MmaSide{/*isLeft=*/false, tile.keys, depth, scoreProduct.readsFloats()}, lane);
  values.emplace(builder, sums, *sharedValues, valueProduct, MmaSide{/*isLeft=*/false, attention.features(), tile.keys},
                 lane);
}

/// Starts asynchronous copies of the keys and values of part number `part` to stage number `stage`.
void MmaOnlineNest::copyPart(Value part, Value stage) {
  Value firstKey = scale(part, tile.keys);
  auto copy = [&](SharedOperand &operand, const LoopNest &nest, unsigned key) {
    Values begins(nest.dims.size(), constant(0));
    begins[key] = firstKey;
    operand.copy(begins, scale(stage, operand.getLayout().elements));
  };
  copy(*sharedKeys, attention.scores, attention.key.ofScores);
  copy(*sharedValues, attention.values, attention.key.ofValues);
}

/// Returns the products of the warp's queries and the keys of the part, 8 keys after the other.
MmaOnlineNest::Values MmaOnlineNest::multiplyQueries() {
  Values sums(tile.keys / mmaColumns * sumsOfThread, number(0));
  for (int64_t step = 0; step < attention.depths(); step += scoreProduct.getShape().depth) {
    MmaProduct::Factors row = queries->convert(queries->load(step)).front();
    MutableArrayRef<Value> own = sums;
    for (const MmaProduct::Factors &column : keys->convert(keys->load(step)))
      for (size_t half : {0, 2}) {
        llvm::copy(scoreProduct.add(row, column, half, MmaProduct::Registers(own.take_front(sumsOfThread))),
                   own.begin());
        own = own.drop_front(sumsOfThread);
      }
  }
  return sums;
}

/// Returns the number in the block of row number `row` of the thread.
Value MmaOnlineNest::rowInBlock(int64_t row) {
  return add(add(scale(warp, mmaRows), divide(lane, threadsOfRow)), constant(row * matrixSide));
}

MmaOnlineNest::Values MmaOnlineNest::scoresOf(Value firstKey) {
  Values scores = multiplyQueries();
  Value column = remainder(lane, threadsOfRow);
  bool isInterleaved = scoreProduct.readsFloats();
  for (auto [number, score] : llvm::enumerate(scores)) {
    auto ofThread = static_cast<int64_t>(number) % sumsOfThread, before = static_cast<int64_t>(number) / sumsOfThread;
    Value key = add(add(firstKey, scale(column, isInterleaved ? 1 : sumColumns)),
                    constant(before * mmaColumns + ofThread % sumColumns * (isInterleaved ? threadsOfRow : 1)));
    score = scoreAt(rowAt(rowInBlock(ofThread / sumColumns)), key, score);
  }
  return scores;
}

/// Returns the exponentials of `scores`, and corrects sums and results for the growth of each row's maximum.
MmaOnlineNest::Values MmaOnlineNest::weigh(ArrayRef<Value> scores, State &state) {
  Values weights(scores.size());
  auto isOfRow = [](size_t number, int64_t row) {
    return static_cast<int64_t>(number) % sumsOfThread / sumColumns == row;
  };
  for (int64_t row = 0; row < threadRows; ++row) {
    Value greatest;
    for (auto [number, score] : llvm::enumerate(scores))
      if (isOfRow(number, row))
        greatest = greatest ? arith::MaximumFOp::create(builder, loc, greatest, score).getResult() : score;
    Growth growth = grow(state.maxima[row], exchange(greatest, /*isSum=*/false, threadsOfRow));
    Value sum = arith::MulFOp::create(builder, loc, state.sums[row], growth.correction);
    for (auto [number, score] : llvm::enumerate(scores))
      if (isOfRow(number, row)) {
        weights[number] = power(score, growth.reference);
        sum = arith::AddFOp::create(builder, loc, sum, weights[number]);
      }
    state.maxima[row] = growth.maximum;
    state.sums[row] = sum;
    for (auto [number, result] : llvm::enumerate(state.results))
      if (isOfRow(number, row))
        result = arith::MulFOp::create(builder, loc, result, growth.correction);
  }
  return weights;
}

/// Adds the weighted values of the part to the results. The weights in registers are the left operand.
void MmaOnlineNest::addValues(ArrayRef<Value> weights, State &state) {
  int64_t depth = valueProduct.getShape().depth;
  for (int64_t step = 0; step < tile.keys; step += depth) {
    MmaProduct::Factors row = valueProduct.convertSums(weights.take_front(depth / mmaColumns * sumsOfThread));
    weights = weights.drop_front(depth / mmaColumns * sumsOfThread);
    MutableArrayRef<Value> own = state.results;
    for (const MmaProduct::Factors &column : values->convert(values->load(step)))
      for (size_t half : {0, 2}) {
        llvm::copy(valueProduct.add(row, column, half, MmaProduct::Registers(own.take_front(sumsOfThread))),
                   own.begin());
        own = own.drop_front(sumsOfThread);
      }
  }
}

MmaOnlineNest::State MmaOnlineNest::computePart(Value part, Value stage, State state) {
  auto read = [&](MmaOperand &operand, const SharedOperand &shared, Type number) {
    operand.readFrom(stage ? scale(stage, shared.getLayout().elements * bytesOf(number)) : Value());
  };
  read(*keys, *sharedKeys, attention.scores.nodes[attention.query.right].type);
  read(*values, *sharedValues, attention.values.nodes[attention.value.right].type);
  Values weights = weigh(scoresOf(scale(part, tile.keys)), state);
  addValues(weights, state);
  return state;
}

/// The next part is copied while a part is computed. After the barrier the copies of all threads have arrived, and no
/// thread reads the stage that the next copies overwrite.
MmaOnlineNest::State MmaOnlineNest::computeParts(State state) {
  copyPart(constant(0), constant(0));
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  auto wait = [&] {
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, /*n=*/0);
    gpu::BarrierOp::create(builder, loc);
  };
  if (shape.parts == 1) {
    wait();
    return computePart(constant(0), {}, std::move(state));
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(shape.parts), constant(1), state.all());
  loop->setAttr("llvm.loop_annotation", keepLoop(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value part = loop.getInductionVar(), next = add(part, constant(1));
  wait();
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, isBelow(next, shape.parts), /*withElseRegion=*/false).thenBlock());
    copyPart(next, remainder(next, shape.stages));
  }
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  State computed = computePart(part, remainder(part, shape.stages), State::of(loop.getRegionIterArgs(), threadRows));
  scf::YieldOp::create(builder, loc, computed.all());
  return State::of(loop.getResults(), threadRows);
}

/// Divides the results by the sums, and stores the outputs that the nest of the values computes from them.
void MmaOnlineNest::store(const State &state) {
  const LoopNest &nest = attention.values;
  SmallVector<Position> positions = positionsOf(/*ofScores=*/false);
  positions[attention.row.ofValues].terms = {{firstRow, 1}, {warp, mmaRows}, {divide(lane, threadsOfRow), 1}};
  positions[attention.feature].terms = {{remainder(lane, threadsOfRow), sumColumns}};
  SmallVector<int64_t> neighbours(nest.dims.size(), 1);
  neighbours[attention.feature] = sumColumns;
  Values inverses;
  for (Value sum : state.sums)
    inverses.push_back(arith::DivFOp::create(builder, loc, number(1), exchange(sum, /*isSum=*/true, threadsOfRow)));
  std::vector<Point> points;
  Values results;
  for (auto [number, result] : llvm::enumerate(state.results)) {
    auto ofThread = static_cast<int64_t>(number) % sumsOfThread, before = static_cast<int64_t>(number) / sumsOfThread;
    Point &point = points.emplace_back(nest.dims.size(), 0);
    point[attention.row.ofValues] = ofThread / sumColumns * matrixSide;
    point[attention.feature] = before * mmaColumns + ofThread % sumColumns;
    results.push_back(arith::MulFOp::create(builder, loc, result, inverses[ofThread / sumColumns]));
  }
  TileStores(builder, nest, buffers, shape.values, positions, neighbours).emit(points, results);
}

void MmaOnlineNest::emit(Value block, Value thread) {
  locate(block, thread);
  prepareOperands();
  sharedQueries->copy(Values(attention.scores.dims.size(), constant(0)), constant(0));
  State state{Values(threadRows, number(-infinity)), Values(threadRows, number(0)),
              Values(mmaRows * attention.features() / GpuMachine::warpThreads, number(0))};
  store(computeParts(std::move(state)));
}

} // namespace cameo::schedule
