// What shape inference knows of a dynamic integer: its difference to another one, and an upper bound.
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

/// Returns the element if inference knows it as an integer, also one stored as a float, or as a size.
cameo::Dim getKnownElement(RunElement element);

/// A sum of a known part and of multiples of unknown elements.
class RunNumber {
public:
  static RunNumber of(RunElement element);

  RunNumber operator-(const RunNumber &other) const { return plus(other, -1); }

  /// Returns the number if all of it is known, otherwise unknown: `past + seq - past` is `seq` for any past.
  cameo::Dim getKnown() const { return others.empty() ? known : cameo::Dim::unknown(); }
  /// Returns an upper bound; unknown if there is none. Subtracted elements are assumed not to be negative, so users of
  /// the bound must check the number at run time.
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
