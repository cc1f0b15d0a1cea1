// Rewrites a node to operations of the default domain: reads its attributes and creates constants and operations. Steps
// after the first failure have no effect.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_NODEWRITER_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_NODEWRITER_H

#include "frontend/Import/Versions/NodeDraft.h"

#include "mlir/IR/BuiltinTypes.h"

namespace cameo {

/// After a failure, whose error has been emitted, every step returns null and does nothing.
class NodeWriter {
public:
  explicit NodeWriter(NodeDraft &draft) : draft(draft) {}

  mlir::Value operand(unsigned index) const { return draft.operands[index]; }
  unsigned operandCount() const { return draft.operands.size(); }
  bool hasOperand(unsigned index) const { return draft.hasOperand(index); }
  /// Emits an error at the node if one of these operands is absent.
  void expectOperands(llvm::ArrayRef<unsigned> indices) {
    for (unsigned index : indices)
      expect(hasOperand(index), "expected input " + llvm::Twine(index) + ", got none");
  }
  bool hasOutput(unsigned index) const { return draft.hasOutput(index); }
  /// Returns the type that the model states for an output; null if it states none.
  mlir::TensorType statedType(unsigned output) const {
    return output < draft.statedTypes.size() ? draft.statedTypes[output] : mlir::TensorType();
  }
  /// Returns the stated rank of the first output.
  std::optional<int64_t> statedRank() const { return draft.statedRank; }
  /// Returns the name of the node in the model, with the calls that lead to it.
  llvm::StringRef nodeName() const;
  mlir::Builder &builder() const { return draft.builder; }
  mlir::Type f32() const { return draft.builder.getF32Type(); }
  mlir::Type i32() const { return draft.builder.getI32Type(); }
  mlir::Type i64() const { return draft.builder.getI64Type(); }

  // Attributes, which are removed from the node. Absent ones are empty, or the default.
  llvm::SmallVector<float> takeFloats(llvm::StringRef name);
  llvm::SmallVector<int64_t> takeInts(llvm::StringRef name);
  llvm::SmallVector<std::string> takeStrings(llvm::StringRef name);
  /// Returns a tensor of numbers, or the floats of the attribute without `_as_tensor`.
  llvm::SmallVector<double> takeNumbers(llvm::StringRef name);
  /// Returns a tensor of numbers or strings as a constant; null if the node does not have it.
  mlir::Value takeTensor(llvm::StringRef name);
  int64_t takeInt(llvm::StringRef name, int64_t otherwise);
  float takeFloat(llvm::StringRef name, float otherwise);
  std::string takeString(llvm::StringRef name, llvm::StringRef otherwise);
  /// Returns the only element of a float or integer attribute, which must exist.
  float takeNumber(llvm::StringRef name);
  bool has(llvm::StringRef name) const { return static_cast<bool>(draft.attributes.get(name)); }

  // Constants.
  mlir::Value floats(llvm::ArrayRef<float> values, llvm::ArrayRef<int64_t> shape);
  mlir::Value floats(llvm::ArrayRef<float> values) { return floats(values, {static_cast<int64_t>(values.size())}); }
  mlir::Value ints(llvm::ArrayRef<int64_t> values) { return draft.makeInts(values); }
  mlir::Value indices(llvm::ArrayRef<int32_t> values);
  mlir::Value flags(llvm::ArrayRef<char> values);
  mlir::Value strings(llvm::ArrayRef<std::string> values);
  /// Creates a constant of numbers that are rounded to a float type.
  mlir::Value numbers(llvm::ArrayRef<double> values, llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  /// Create scalars of i64 and u32.
  mlir::Value scalar(int64_t value);
  mlir::Value bits(uint32_t value);
  mlir::Value none() { return draft.makeNone(); }
  mlir::Value number(double value, mlir::Type elementType) { return draft.makeFloat(value, elementType); }

  // Operations.
  mlir::Value make(llvm::StringRef opType, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// Creates an operation with several results, those for which `outputs` is true; null after a failure.
  llvm::SmallVector<mlir::Value> makeAll(llvm::StringRef opType, mlir::ValueRange operands,
                                         llvm::ArrayRef<mlir::NamedAttribute> attributes, llvm::ArrayRef<bool> outputs);
  mlir::NamedAttribute attr(llvm::StringRef name, float value) {
    return draft.builder.getNamedAttr(name, draft.builder.getF32FloatAttr(value));
  }
  mlir::NamedAttribute attr(llvm::StringRef name, int value) { return attr(name, static_cast<int64_t>(value)); }
  mlir::NamedAttribute attr(llvm::StringRef name, int64_t value) {
    return draft.builder.getNamedAttr(name, draft.builder.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return draft.builder.getNamedAttr(name, draft.builder.getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::StringRef value) {
    return draft.builder.getNamedAttr(name, draft.builder.getStringAttr(value));
  }
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> perm) {
    return make("Transpose", value, attr("perm", perm));
  }
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return make("Reshape", {value, ints(shape)});
  }
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes) {
    return make("Unsqueeze", {value, ints(axes)});
  }
  /// Creates 0, 1, ..., count - 1 for an i64 scalar `count`.
  mlir::Value range(mlir::Value count) { return make("Range", {scalar(0), count, scalar(1)}); }
  /// Returns the number of dimensions; fails after an error if it is unknown.
  int64_t rankOf(mlir::Value value);
  /// Returns one dimension as a scalar of i64.
  mlir::Value sizeOf(mlir::Value value, int64_t axis) {
    return make("Squeeze", make("Shape", value, {attr("start", axis), attr("end", axis + 1)}));
  }
  /// Appends `count`, a scalar of i64, zeros along an axis.
  mlir::Value lengthen(mlir::Value value, int64_t axis, mlir::Value count);
  /// Builds an iteration of a loop: returns whether there is a next one, which may be null, and the carried values.
  using IterationMaker =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value iteration, llvm::ArrayRef<mlir::Value> carried)>;
  /// Builds a loop of at most `tripCount` iterations, a scalar of i64, and returns its last values.
  llvm::SmallVector<mlir::Value> repeat(mlir::Value tripCount, llvm::ArrayRef<mlir::Value> carried,
                                        IterationMaker body);
  /// Builds a loop of `tripCount` iterations, a scalar of i64 that is at most `most`. Returns the tensors that `body`
  /// returns for the iterations, stacked; there is room for `most`, and those of iterations that do not run are
  /// undefined.
  mlir::Value stack(mlir::Value tripCount, cameo::Dim most,
                    llvm::function_ref<mlir::Value(mlir::Value iteration)> body);
  /// Creates a map for each row, see MapSequence.h.
  mlir::Value maps(mlir::Value rows, mlir::Attribute keys);
  /// Returns the rows of a matrix; a vector is one row.
  mlir::Value rows(mlir::Value value);
  mlir::Type elementOf(mlir::Value value) const;
  bool isString(mlir::Value value) const;
  /// Returns the elements of a constant of strings.
  llvm::SmallVector<std::string> stringsOf(mlir::Value constant) const;

  /// If the condition does not hold, emits an error at the node, unless there was one before.
  void expect(bool condition, const llvm::Twine &what);
  bool hasFailed() const { return failed; }

private:
  template <typename Attr> Attr take(llvm::StringRef name);

  NodeDraft &draft;
  bool failed = false;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_NODEWRITER_H
