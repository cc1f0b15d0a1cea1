// At which sizes tasks with dynamic sizes are tuned.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNESIZES_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNESIZES_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/Search/SearchTask.h"
#include "utils/Driver/Run/ModelLibrary.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace cameo {

/// Sizes of one dimension, and how often each counts.
struct TunedDim {
  std::string name;
  std::vector<std::pair<int64_t, unsigned>> sizes;
};

/// Adds what `NAME=SIZE[*TIMES],...` says.
llvm::Error parseTunedDim(llvm::StringRef text, std::vector<TunedDim> &dims);

/// Calls dimensions as tasks do, which have names for those that the model names by INPUT:AXIS alone. Fails where runs
/// of the model choose no such dimension.
llvm::Error resolveTunedDims(mlir::ModuleOp module, const DimensionSizes &fixed, std::vector<TunedDim> &dims);

/// What the sizes of a task, lowered, are made of, in the order of their first use.
llvm::SetVector<mlir::StringAttr> sizeNamesOf(task::DefOp def);

/// The runs that the task is measured in: each combination of sizes, as often as the product of their times. Empty
/// where its sizes are known, and where `dims` lack one.
std::vector<autotune::RunSizes> runsOfTask(task::DefOp def, llvm::ArrayRef<TunedDim> dims);

/// A part of the sizes, for which tasks may have a schedule of its own.
struct SizeBucket {
  std::vector<TunedDim> dims; ///< those with fewer sizes in it
  autotune::SizeRange range;  ///< of runs that the part stands for
};

/// Divides the sizes into at most `count` parts: those of the dimension whose sizes are furthest apart, between
/// neighbours that are. A border is the geometric middle of the sizes beside it, whose schedules are as far from their
/// own sizes there, as a ratio. None where there would be one alone.
std::vector<SizeBucket> divideSizes(llvm::ArrayRef<TunedDim> dims, int64_t count);

/// Those of `dims` that the task has, as records have them.
std::string spellTunedDims(task::DefOp def, llvm::ArrayRef<TunedDim> dims);

/// `fixed`, and of each of `dims` the size that counts most, the largest of several.
DimensionSizes mostFrequentSizes(const DimensionSizes &fixed, llvm::ArrayRef<TunedDim> dims);

} // namespace cameo

#endif
