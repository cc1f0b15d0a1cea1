// The step `tensor`: the matrix unit of a GPU multiplies.
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/Window.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

static int64_t productOf(llvm::ArrayRef<unsigned> dims, llvm::function_ref<int64_t(unsigned)> sizeOf) {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= sizeOf(dim);
  return product;
}

/// Checks that the points of a warp are consecutive in the order of the block's points: if a warp divides a dimension,
/// it must have one point along all dimensions before it.
static std::string verifyWarps(llvm::ArrayRef<unsigned> dims, const BlockTile &tile) {
  bool isDivided = false;
  for (unsigned dim : llvm::reverse(dims)) {
    if (isDivided && tile.dims[dim].thread > 1)
      return llvm::formatv("expected warps with adjacent points, got {0} along dimension {1}", tile.dims[dim].thread,
                           dim);
    isDivided |= tile.dims[dim].thread < tile.dims[dim].block;
  }
  return "";
}

/// Checks a tile whose left operand has a window: asynchronous copies, which alone know windows, and at each tap whole
/// instructions.
static std::string verifyWindow(const GpuNestToVerify &of, const TensorProduct &found, const Window &window,
                                const BlockTile &tile) {
  if (of.gpuSchedule.copy != Copy::Async)
    return llvm::formatv("expected asynchronous copies of a window, all steps of dimension {0} at once, got {1}",
                         window.taps.front(), stringifyCopy(of.gpuSchedule.copy));
  if (int64_t steps = tile.dims[window.depth].block; steps % found.shape.depth != 0)
    return llvm::formatv("expected a multiple of {0} steps along dimension {1}, of which each position of a window has "
                         "all, got {2}",
                         found.shape.depth, window.depth, steps);
  return "";
}

/// Checks what all instructions want of operands and tiles.
static std::string verifyTile(const GpuNestToVerify &of, const TensorProduct &found) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  LoopNest packed = packLoads(nest, schedule.packedBuffers, packedOrderOf(nest, schedule, gpuSchedule));
  if (!canReadOperands(packed, found))
    return "expected bytes that are contiguous along the depth, for the matrix unit";
  const Contraction *product = &found.contraction;
  llvm::SmallVector<NodeId> cached = cachedLoads(nest, gpuSchedule);
  if (!llvm::is_contained(cached, product->left) || !llvm::is_contained(cached, product->right))
    return "expected both operands of the matrix unit in shared memory";
  if (gpuSchedule.unroll > 0 || schedule.dotDim ||
      llvm::any_of(
          gpuSchedule.bound,
          [](const BoundLoop &each) { return each.to == Binding::Thread || each.to == Binding::VirtualThread; }) ||
      reducesByWarp(nest, schedule, gpuSchedule))
    return "expected loops that are bound to blocks and warps, and no unroll or dot, where the matrix unit multiplies";
  BlockTile tile = tileOf(nest, schedule, gpuSchedule);
  std::optional<Window> window = findWindow(nest, tile);
  if (std::string wrong = window ? verifyWindow(of, found, *window, tile) : ""; !wrong.empty())
    return wrong;
  auto isTap = [&](unsigned dim) { return window && llvm::is_contained(window->taps, dim); };
  auto isFree = [&](unsigned dim) {
    auto isSide = [&](llvm::ArrayRef<unsigned> dims, NodeId operand) {
      return llvm::is_contained(dims, dim) && canHaveUnevenPoints(packed, dims, operand);
    };
    return !tile.usesGroups && (isSide(product->rows, product->left) || isSide(product->columns, product->right));
  };
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    bool isEven = llvm::isPowerOf2_64(tiled.block) && (nest.dims[dim].reduction || llvm::isPowerOf2_64(tiled.thread));
    if (isEven || isTap(dim))
      continue;
    if (!isFree(dim))
      return llvm::formatv("expected powers of two as sizes along dimension {0}, got {1} and {2}", dim, tiled.block,
                           tiled.thread);
    if (tiled.block % tiled.thread != 0 || !llvm::isPowerOf2_64(tiled.threads()))
      return llvm::formatv("expected a power of two of warps along dimension {0}, got {1} points, and {2} of a warp",
                           dim, tiled.block, tiled.thread);
  }
  for (unsigned dim : product->batch)
    if (tile.dims[dim].block != 1)
      return llvm::formatv(
          "expected blocks of 1 along dimension {0}, along which both operands or neither advance, got {1}", dim,
          tile.dims[dim].block);
  return "";
}

/// Checks a product by wgmma: copies past the registers, since the product reads what other steps have copied before,
/// and all columns of the block for each warp, so that warps with consecutive numbers have consecutive rows.
static std::string verifyWgmma(const GpuNestToVerify &of, const TensorProduct &found) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  const TensorShape &shape = *gpuSchedule.tensor;
  if (!groupShapeOf(found, gpu))
    return llvm::formatv("expected products of f16 or bf16 and code for sm_90a, for wgmma, got {0}", gpu.name);
  if (std::string wrong = verifyTile(of, found); !wrong.empty())
    return wrong;
  // All that a chained product reads is there before it begins.
  if (gpuSchedule.copy != Copy::Async || (int64_t(gpuSchedule.stages) <= wgmmaStagesRead && !gpuSchedule.chained))
    return llvm::formatv("expected asynchronous copies to at least {0} stages for wgmma, got {1} of {2}",
                         wgmmaStagesRead + 1, stringifyCopy(gpuSchedule.copy), gpuSchedule.stages);
  BlockTile tile = tileOf(nest, schedule, gpuSchedule);
  const Contraction &product = found.contraction;
  auto ofWarp = [&](unsigned dim) { return tile.dims[dim].thread; };
  auto ofBlock = [&](unsigned dim) { return tile.dims[dim].block; };
  int64_t rows = productOf(product.rows, ofBlock), rowsOfWarp = productOf(product.rows, ofWarp),
          columns = productOf(product.columns, ofBlock), columnsOfWarp = productOf(product.columns, ofWarp),
          depth = productOf(product.depth, ofBlock);
  if (rows % shape.rows != 0 || rowsOfWarp != shape.rows / groupWarps || columns != shape.columns ||
      columnsOfWarp != shape.columns || depth % shape.depth != 0)
    return llvm::formatv("expected {0} rows and {1} columns of a warp, blocks of a multiple of {2} rows and {1} "
                         "columns, and a multiple of {3} steps, got {4}, {5}, {6}, {7} and {8}",
                         shape.rows / groupWarps, shape.columns, shape.rows, shape.depth, rowsOfWarp, columnsOfWarp,
                         rows, columns, depth);
  // A window has its rows where the warps have them.
  if (findWindow(nest.nodes[product.left], nest, tile))
    return "";
  if (!llvm::is_sorted(tile.threadOrder))
    return llvm::formatv("expected loops over warps in the order of their dimensions, got dimension {0} behind {1}",
                         tile.threadOrder[1], tile.threadOrder[0]);
  return verifyWarps(product.rows, tile);
}

std::string verifyTensor(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  // The step `online` verifies the instruction of an attention.
  if (!gpuSchedule.tensor || gpuSchedule.online)
    return "";
  std::optional<TensorProduct> found = findTensorProduct(nest, gpu);
  if (!found)
    return "expected a sum in i32 of products of bytes, or in f32 of products of f16, of bf16, or of f32 where a "
           "target's gpu_math is another type, and a device of compute capability 8.0 or more, for the matrix unit";
  const TensorShape &shape = *gpuSchedule.tensor;
  if (shape.kind == TensorKind::Wgmma)
    return verifyWgmma(of, *found);
  if (shape != found->shape)
    return llvm::formatv("expected {0} of depth {1} for these operands and a target with {2} as gpu_math, got {3} of "
                         "depth {4}",
                         stringifyTensorKind(found->shape.kind), found->shape.depth, nameOf(gpu.math),
                         stringifyTensorKind(shape.kind), shape.depth);
  if (std::string wrong = verifyTile(of, *found); !wrong.empty())
    return wrong;
  const Contraction *product = &found->contraction;
  BlockTile tile = tileOf(nest, schedule, gpuSchedule);
  auto ofWarp = [&](unsigned dim) { return tile.dims[dim].thread; };
  auto ofBlock = [&](unsigned dim) { return tile.dims[dim].block; };
  // One load of the right operand is for two instructions.
  int64_t rows = productOf(product->rows, ofWarp), columns = productOf(product->columns, ofWarp),
          depth = productOf(product->depth, ofBlock);
  if (rows % shape.rows != 0 || columns % (2 * shape.columns) != 0 || depth % shape.depth != 0)
    return llvm::formatv("expected multiples of {0} rows and {1} columns of a warp and of {2} steps, got {3}, {4} and "
                         "{5}",
                         shape.rows, 2 * shape.columns, shape.depth, rows, columns, depth);
  for (llvm::ArrayRef<unsigned> dims :
       {llvm::ArrayRef<unsigned>(product->rows), llvm::ArrayRef<unsigned>(product->columns)})
    if (std::string wrong = verifyWarps(dims, tile); !wrong.empty())
      return wrong;
  return "";
}

namespace {

/// Returns the type to which f32 operands are converted, as a suffix of the explanation.
llvm::StringRef numbersOf(TensorKind kind) {
  switch (kind) {
  case TensorKind::Mma:
  case TensorKind::Wgmma:
    return "";
  case TensorKind::MmaTf32:
    return " of tf32";
  case TensorKind::Mma3xTf32:
    return " of tf32, three times";
  case TensorKind::MmaF16:
    return " of f16";
  case TensorKind::MmaBf16:
    return " of bf16";
  }
  llvm_unreachable("unknown kind");
}

struct TensorEffect : StepEffectInterface::ExternalModel<TensorEffect, TensorAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<TensorAttr>(attr);
    state.gpuSchedules[step.getNest()].tensor = {step.getKind(), step.getM(), step.getN(), step.getK()};
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    auto step = llvm::cast<TensorAttr>(attr);
    return llvm::formatv("matrix unit, {0} x {1} x {2}{3}", step.getM(), step.getN(), step.getK(),
                         numbersOf(step.getKind()));
  }
};

} // namespace

template <> void attachEffect<TensorAttr>(mlir::MLIRContext &context) {
  TensorAttr::attachInterface<TensorEffect>(context);
}

} // namespace cameo::schedule
