// Properties of a loop nest that decide which schedules are worth trying: the analysis of the compute DAG.
#ifndef CAMEO_AUTOTUNE_SPACE_NESTTRAITS_H
#define CAMEO_AUTOTUNE_SPACE_NESTTRAITS_H

#include "passes/Schedule/Nests/LoopNest.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::autotune {

/// The nest, its group and its program must outlive this object.
struct NestTraits {
  const schedule::TaskProgram *program;
  const schedule::NestGroup *group;
  const schedule::LoopNest *nest;
  /// The number of row dimensions of the nest's group, which schedules do not change.
  unsigned rowDims;
  /// Whether the nest is alone in its group. Only then are its loops parallel.
  bool isAlone;
  Machine machine;
  unsigned threads = 1;
  /// The schedule that the rules choose. Some sketch fixes what it fixes, so that searches without it can find it.
  schedule::NestSchedule defaults;

  /// Dimensions that a schedule may divide.
  llvm::SmallVector<unsigned> parallel, reductions;
  /// Loads inside of the reductions (all loads where there are none).
  llvm::SmallVector<schedule::NodeId> loads;
  /// Whether tiles pay off because operands are read again along parallel dimensions: two such operands, or one and a
  /// reduction.
  bool needsTiling = false;
  /// Whether all reductions are associative operations, so that lanes or loops may keep partial results.
  bool isCombinable = false;
  /// Whether the nest stores constants only, as for borders of padding. Searches keep its default schedule, because
  /// other ones only increase code size.
  bool isFill = false;
  /// The total number of scalar operations.
  double operations = 0;
  /// The size of the widest element.
  int64_t elementBytes = 1;

  NestTraits(const schedule::TaskProgram &program, const schedule::NestGroup &group, const schedule::LoopNest &nest,
             const Machine &machine, unsigned threads);

  int64_t extent(unsigned dim) const { return nest->dims[dim].extent; }
  bool isReduction(unsigned dim) const { return nest->dims[dim].reduction; }
  /// Returns the number of lanes of a vector along `dim`.
  int64_t maxLanes(unsigned dim) const { return machine.vectorBytes / schedule::vectorElementBytes(*nest, dim); }
  /// Whether a load has transforms, so that it must be packed along the vector dimension.
  bool hasTransforms() const;
};

/// Whether node `id` varies along `dim`.
bool variesAlong(const schedule::LoopNest &nest, schedule::NodeId id, unsigned dim);

} // namespace cameo::autotune

#endif
