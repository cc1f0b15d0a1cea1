// Defines the sizes at which tasks with dynamic sizes are tuned.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNESIZES_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNESIZES_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/Search/SearchTask.h"
#include "utils/Driver/Run/ModelLibrary.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <set>

namespace cameo {

/// Sizes of one dimension and their weights.
struct TunedDim {
  std::string name;
  std::vector<std::pair<int64_t, unsigned>> sizes;
};

/// Parses `NAME=SIZE[*TIMES],...` and adds the result to `dims`.
llvm::Error parseTunedDim(llvm::StringRef text, std::vector<TunedDim> &dims);

/// Renames dimensions to the names in tasks, which also name those that the model refers to only as INPUT:AXIS. Fails
/// if the model has no such dynamic dimension.
llvm::Error resolveTunedDims(mlir::ModuleOp module, const DimensionSizes &fixed, std::vector<TunedDim> &dims);

/// Returns the names in the sizes of a lowered task, in the order of their first use.
llvm::SetVector<mlir::StringAttr> sizeNamesOf(task::DefOp def);
std::vector<std::string> spellSizeNames(task::DefOp def);

/// The names of dimensions for which records have sizes.
class TunedNames {
public:
  explicit TunedNames(llvm::ArrayRef<autotune::TuningRecord> records);
  /// Whether a record has sizes for all of these names, of which there is one or more.
  bool hasAll(llvm::ArrayRef<std::string> names) const;

private:
  std::set<std::set<std::string>> ofRecords;
};

/// Returns the runs in which the task is measured: each combination of sizes, with the product of their weights. Empty
/// if the sizes of the task are static, or if `dims` lack one of its names.
std::vector<autotune::RunSizes> runsOfTask(task::DefOp def, llvm::ArrayRef<TunedDim> dims);

/// A part of the sizes, for which tasks may have separate schedules.
struct SizeBucket {
  std::vector<TunedDim> dims; ///< the dimensions; the divided one with the sizes of this part only
  autotune::SizeRange range;  ///< range of sizes that the part is used for
};

/// Divides the sizes into at most `count` parts. It divides the dimension with the largest ratio of its sizes, at the
/// largest ratios of neighbouring sizes. The border is the geometric mean of the two neighbours, which is at the same
/// ratio from both. Returns nothing if there would be only one part.
std::vector<SizeBucket> divideSizes(llvm::ArrayRef<TunedDim> dims, int64_t count);

/// Returns those of `dims` that the task has, in the form of records.
std::string spellTunedDims(task::DefOp def, llvm::ArrayRef<TunedDim> dims);

/// Returns `fixed`, and for each of `dims` the size with the largest weight; of several the largest size.
DimensionSizes mostFrequentSizes(const DimensionSizes &fixed, llvm::ArrayRef<TunedDim> dims);

} // namespace cameo

#endif
