// Lines of the logs that TVM's tuners wrote (AutoTVM, and its auto-scheduler, Ansor, up to v0.19): which loops they
// divided, and how.
#ifndef CAMEO_AUTOTUNE_RECORDS_TVMLOG_H
#define CAMEO_AUTOTUNE_RECORDS_TVMLOG_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo::autotune {

/// A loop of the computation and the sizes of the pieces that it is divided into, outermost first.
struct TvmLoop {
  int64_t extent = 1;
  llvm::SmallVector<int64_t, 3> pieces;
};

/// The loops of a convolution are those of its result (all of them, in the order of its layout) and then of its sum.
struct TvmTiling {
  std::vector<TvmLoop> parallel, reductions;
  double costSeconds = 0; ///< on the machine of the log
  std::string origin;     ///< for people: tuner, operator or workload, target
};

struct TvmLine {
  std::optional<TvmTiling> tiling;
  std::string skipped; ///< why there is none: a few words that are the same for lines of the same kind
};

/// An error says what of the line is no record of TVM: the log is another file, or damaged.
llvm::Expected<TvmLine> parseTvmLine(llvm::StringRef line);

} // namespace cameo::autotune

#endif
