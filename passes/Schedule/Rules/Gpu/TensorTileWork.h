// What a kernel does whose blocks multiply tiles of a product, as far as the rule knows it without machine code.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILEWORK_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILEWORK_H

#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"
#include "passes/Schedule/Rules/Gpu/TensorModel.h"

namespace cameo::schedule {

class TensorTileWork {
public:
  /// All arguments must outlive this object. With `keepsLeft` blocks have the left operand, as of a chained product.
  TensorTileWork(const LoopNest &nest, const Contraction &contraction, const TensorShape &instruction,
                 const GpuMachine &gpu, bool keepsLeft)
      : nest(nest), contraction(contraction), instruction(instruction), gpu(gpu), keepsLeft(keepsLeft),
        inGroups(instruction.kind == TensorKind::Wgmma) {}

  /// The copies of a thread in a step, and those whose addresses are no constants behind others.
  struct Copies {
    double all, addressed;
  };
  Copies copiesOf(const BlockShape &shape, const BlockTile &tile) const;
  double registersOf(const BlockShape &shape) const;
  int64_t productsOfStep(const BlockShape &shape) const;
  /// Returns the work of the kernel.
  TensorWork workOf(const BlockShape &shape, const GpuSchedule &threads, const BlockTile &tile) const;

private:
  double loadsOf(NodeId load, int64_t points, int64_t steps, const BlockTile &tile) const;
  int64_t copiedBytes(const BlockShape &shape, const BlockTile &tile) const;
  double copiedOfWarp(const BlockShape &shape, const BlockTile &tile) const;
  struct Behind {
    int64_t fetched, shared; // bytes beyond shared memory and from there
  };
  Behind behindSums(const BlockShape &shape, const GpuSchedule &threads, const BlockTile &tile) const;
  double addressesOf(NodeId load, int64_t points, const BlockTile &tile) const;
  TensorWork::Code stepOf(const BlockShape &shape, const BlockTile &tile, bool copies) const;
  TensorWork::Code restOf(const BlockShape &shape, const BlockTile &tile, int64_t stepsAhead) const;
  void addPool(const BlockTile &tile, TensorWork &work) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const TensorShape &instruction;
  const GpuMachine &gpu;
  bool keepsLeft;
  bool inGroups; ///< whether four warps multiply together
};

} // namespace cameo::schedule

#endif
