// A dialect interface for lowerings of operations of other dialects than onnx.
#ifndef CAMEO_PASSES_LOWER_DIALECTLOWERINGS_H
#define CAMEO_PASSES_LOWER_DIALECTLOWERINGS_H

#include "passes/Lower/LoweringTable.h"

#include "mlir/IR/DialectInterface.h"

namespace cameo::lower {

class DialectLowerings : public mlir::DialectInterface::Base<DialectLowerings> {
public:
  /// `table` must live as long as the dialect.
  DialectLowerings(mlir::Dialect *dialect, const LoweringTable &table) : Base(dialect), table(table) {}
  const LoweringTable &getTable() const { return table; }

private:
  const LoweringTable &table;
};

} // namespace cameo::lower

#endif
