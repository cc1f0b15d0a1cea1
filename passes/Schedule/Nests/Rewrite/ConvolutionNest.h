// Recognises loop nests that are convolutions to which Winograd's minimal filtering applies.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_CONVOLUTIONNEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_CONVOLUTIONNEST_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// The dimensions and loads of a 3x3 convolution with stride one and a single group.
struct ConvolutionNest {
  llvm::SmallVector<unsigned> batch;         ///< parallel dimensions along which the filter does not vary
  unsigned rows, columns, channels;          ///< of the output
  unsigned filterRows, filterColumns, depth; ///< reductions
  int64_t rowDilation, columnDilation;       ///< distance in rows and columns between the inputs of neighbouring
                                             ///< weights
  NodeId input, filter;                      ///< the loads
  NodeId inputFactor, filterFactor;          ///< the factors of the product: the loads, or their conversions to f32
};

/// Matches `nest`. The error says why it is not such a convolution.
llvm::Expected<ConvolutionNest> matchConvolution(const TaskProgram &program, const LoopNest &nest);

} // namespace cameo::schedule

#endif
