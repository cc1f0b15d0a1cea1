// Reads the logs of TVM's tuners (AutoTVM and its auto-scheduler, Ansor, up to v0.19): the loops that they tiled, and
// the tile sizes.
#ifndef CAMEO_AUTOTUNE_RECORDS_TVMLOG_H
#define CAMEO_AUTOTUNE_RECORDS_TVMLOG_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo::autotune {

/// A loop of the computation and its tile sizes, outermost first.
struct TvmLoop {
  int64_t extent = 1;
  llvm::SmallVector<int64_t, 3> pieces;
};

/// For a convolution: the loops of its result (all of them, in the order of its layout), and its reduction loops.
struct TvmTiling {
  std::vector<TvmLoop> parallel, reductions;
  double costSeconds = 0; ///< on the machine of the log
  std::string origin;     ///< for users: tuner, operator or workload, target
};

struct TvmLine {
  std::optional<TvmTiling> tiling;
  std::string skipped; ///< reason why there is no tiling, in a few words; equal for lines of the same kind
};

/// Fails if the line is no record of TVM, because the file is damaged or no log.
llvm::Expected<TvmLine> parseTvmLine(llvm::StringRef line);

} // namespace cameo::autotune

#endif
