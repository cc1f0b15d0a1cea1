// What inference can tell of an integer known only at run time: how it differs from another one, and how large it may
// become.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RUNNUMBER_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RUNNUMBER_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Value.h"

namespace cameo {

/// One element of a tensor of integers, in row-major order.
struct RunElement {
  mlir::Value tensor;
  int64_t index = 0;

  bool operator==(const RunElement &other) const { return tensor == other.tensor && index == other.index; }
};

/// What inference knows of it: an integer, also one that is a float, or a size.
cameo::Dim getKnownElement(RunElement element);

/// A sum of what inference knows and of multiples of elements that it does not.
class RunNumber {
public:
  static RunNumber of(RunElement element);

  RunNumber operator-(const RunNumber &other) const { return plus(other, -1); }

  /// The number if inference knows all of it, else unknown: `past + seq - past` is `seq` whatever past is.
  cameo::Dim getKnown() const { return others.empty() ? known : cameo::Dim::unknown(); }
  /// A bound; unknown where nothing gives one. What is taken away is believed to be 0 or more: whoever relies on the
  /// bound has the run hold the number against it.
  cameo::Dim getGreatest() const;

private:
  static RunNumber find(RunElement element, int &steps);
  static cameo::Dim findGreatest(RunElement element, int &steps);
  cameo::Dim getGreatest(int &steps) const;
  RunNumber plus(const RunNumber &other, int64_t factor) const;

  cameo::Dim known = 0;
  llvm::SmallVector<std::pair<RunElement, int64_t>, 2> others;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RUNNUMBER_H
