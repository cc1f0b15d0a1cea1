// Lists the kernels that a model launches on a GPU, and what each of them does.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_LISTKERNELS_H
#define CAMEO_UTILS_DRIVER_INSPECT_LISTKERNELS_H

#include "dialects/Target/GpuMachine.h"
#include "utils/Driver/CompileOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// Blocks of a launch that compute the same loop nests. What they do is counted as the loops say, points outside of the
/// result included. It is not known where the sizes of a run decide.
struct KernelPiece {
  std::optional<int64_t> blocks;
  std::optional<double> multiplyAdds;  ///< of a block, by threads and by matrix units
  std::optional<double> accessedBytes; ///< of a block, in loads and stores of buffers
  int64_t parts; ///< blocks that divide a sum, of which the last one to finish adds up the parts, or each some of them
                 ///< in a cluster; 1: none do
};

struct KernelSummary {
  std::string name;     ///< symbol by which the driver finds it
  std::string task;     ///< name of the task that it is part of
  int64_t launches;     ///< in a run; a loop whose trip count is not known counts once
  int64_t threads;      ///< of a block
  int64_t cluster;      ///< blocks of a cluster; 1: there are none
  int64_t dynamicBytes; ///< shared memory of a block that a launch asks for
  std::vector<KernelPiece> pieces;
  /// What a launch reads and writes at least: each buffer once, and of a buffer no more than what is accessed.
  std::optional<double> readBytes, writtenBytes;
  double weightBytes = 0; ///< the part of readBytes that are weights
};

struct KernelList {
  const GpuMachine *gpu;
  std::vector<KernelSummary> kernels; ///< in order of their first launch
  int64_t copies = 0;                 ///< copies of buffers in a run
};

/// Returns the kernels of a run that launches each by itself (--gpu-launch=dispatch) on the GPU of `options`. Returns
/// nothing after a reported error.
std::optional<KernelList> listKernels(const CompileOptions &options);

} // namespace cameo

#endif
