// What the structure of a loop nest says about the schedules worth trying: the analysis of the compute DAG.
#ifndef CAMEO_AUTOTUNE_SPACE_NESTTRAITS_H
#define CAMEO_AUTOTUNE_SPACE_NESTTRAITS_H

#include "passes/Schedule/Nests/LoopNest.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::autotune {

/// Refers to the nest and its program, which must outlive it.
struct NestTraits {
  const schedule::TaskProgram *program;
  const schedule::LoopNest *nest;
  /// Leading dimensions that the nest's group fixes: no schedule touches them.
  unsigned rowDims;
  /// Whether the nest is alone in its group: only then do its loops run in parallel, and copies of operands before it.
  bool isAlone;
  Machine machine;
  unsigned threads = 1;

  /// Dimensions that a schedule may divide.
  llvm::SmallVector<unsigned> parallel, reductions;
  /// Loads inside of the reductions (all loads where there are none).
  llvm::SmallVector<schedule::NodeId> loads;
  /// Whether an operand is read again along a parallel dimension, so that tiles pay: it takes two such operands, or one
  /// and a reduction.
  bool needsTiling = false;
  /// Whether all reductions are associative operations that one partial result per lane or loop can be kept of.
  bool isCombinable = false;
  /// Whether the nest writes values that it neither reads nor computes: borders of padding. Nothing is to be found
  /// there but code that is too long, so searches leave it its default schedule.
  bool isFill = false;
  /// Scalar operations in total.
  double operations = 0;
  /// Of the widest element: decides how many lanes a vector has.
  int64_t elementBytes = 1;

  NestTraits(const schedule::TaskProgram &program, const schedule::NestGroup &group, const schedule::LoopNest &nest,
             const Machine &machine, unsigned threads);

  int64_t extent(unsigned dim) const { return nest->dims[dim].extent; }
  bool isReduction(unsigned dim) const { return nest->dims[dim].reduction; }
  int64_t maxLanes() const { return machine.vectorBytes / elementBytes; }
  /// Whether a load must be packed along the vector dimension because only packing computes what it loads.
  bool hasTransforms() const;
};

/// Whether node `id` differs along `dim`.
bool variesAlong(const schedule::LoopNest &nest, schedule::NodeId id, unsigned dim);

} // namespace cameo::autotune

#endif
