#include "passes/Schedule/Nests/AlikeDimensions.h"

namespace cameo::schedule {

bool divideAlike(LoopNest &writer, LoopNest &reader, NodeId load) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    const LinearForm &stored = writer.outputs[0].address, &read = reader.nodes[load].address;
    for (unsigned mine = 0; mine < writer.dims.size() && !isChanged; ++mine)
      for (unsigned theirs = 0; theirs < reader.dims.size() && !isChanged; ++theirs) {
        if (stored.coefficients[mine] == 0 || stored.coefficients[mine] != read.coefficients[theirs])
          continue;
        int64_t a = writer.dims[mine].extent, b = reader.dims[theirs].extent;
        if (a == b)
          continue;
        if (std::max(a, b) % std::min(a, b) != 0 || std::min(a, b) == 1)
          return false;
        divideDimension(a > b ? writer : reader, a > b ? mine : theirs, std::min(a, b));
        isChanged = true;
      }
  }
  updateDependences(writer);
  updateDependences(reader);
  return true;
}

} // namespace cameo::schedule
