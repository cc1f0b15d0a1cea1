// Recognises loop nests that are convolutions to which Winograd's minimal filtering applies.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_CONVOLUTIONNEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_CONVOLUTIONNEST_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// The roles of the dimensions and loads of a 3x3 convolution with stride one and a single group.
struct ConvolutionNest {
  llvm::SmallVector<unsigned> batch;         ///< parallel dimensions that the filter does not vary along
  unsigned rows, columns, channels;          ///< of the output
  unsigned filterRows, filterColumns, depth; ///< reductions
  int64_t rowDilation, columnDilation;       ///< rows and columns from what one weight is multiplied with to the next
  NodeId input, filter;
};

/// The roles in `nest`, or what keeps it from being such a convolution.
llvm::Expected<ConvolutionNest> matchConvolution(const TaskProgram &program, const LoopNest &nest);

} // namespace cameo::schedule

#endif
