// --require-sizes: code trusts that sizes which an operator joins are equal; whoever chooses the sizes must be held to it.
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_REQUIRESIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using onnx::Dim;
using onnx::DimList;

class Requirements {
public:
  explicit Requirements(func::FuncOp main) {
    for (BlockArgument input : main.getArguments())
      addNames(input);
    for (auto sized : main.getOps<onnx::DataSizedOp>())
      for (Value result : sized->getResults())
        addNames(result);
  }

  void visit(Operation *op) {
    if (op->hasTrait<onnx::PointwiseOnnxOp>())
      return requireBroadcast(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](onnx::ReshapeOp reshape) { requireSameElements(reshape.getData(), reshape.getResult()); })
        .Case([&](onnx::MatMulOp product) {
          std::optional<DimList> a = onnx::getDims(product.getA()), b = onnx::getDims(product.getB());
          if (a && b && !a->empty() && !b->empty())
            requireEqual(a->back(), (*b)[std::max<size_t>(b->size(), 2) - 2]);
        })
        .Case([&](onnx::GemmOp product) {
          std::optional<DimList> a = onnx::getDims(product.getA()), b = onnx::getDims(product.getB());
          if (a && b && a->size() == 2 && b->size() == 2)
            requireEqual((*a)[product.getTransA() ? 0 : 1], (*b)[product.getTransB() ? 1 : 0]);
        })
        .Case([&](onnx::ConvOp conv) {
          std::optional<DimList> x = onnx::getDims(conv.getX()), w = onnx::getDims(conv.getW());
          if (x && w && x->size() > 2 && w->size() > 2)
            requireEqual((*x)[1], onnx::mulDims((*w)[1], Dim(conv.getGroup())));
        })
        .Case([&](onnx::ConcatOp concat) { requireBroadcast(concat, concat.getAxis()); });
  }

  /// Expressions that must be zero.
  ArrayRef<Attribute> getZeros() const { return zeros.getArrayRef(); }

private:
  void addNames(Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
      onnx::collectNames(dim, names);
  }

  /// Nothing to require where the sizes are surely equal; where they surely differ, verification has said so.
  void requireEqual(const Dim &a, const Dim &b) {
    Dim difference = onnx::subDims(a, b);
    if (!difference.isNamed())
      return;
    llvm::SetVector<StringAttr> used;
    onnx::collectNames(difference, used);
    if (llvm::all_of(used, [&](StringAttr name) { return names.contains(name); }))
      zeros.insert(difference.getName());
  }

  void requireSameElements(Value from, Value to) {
    std::optional<DimList> before = onnx::getDims(from), after = onnx::getDims(to);
    if (before && after)
      requireEqual(onnx::productOf(*before), onnx::productOf(*after));
  }

  /// Every dimension of an operand is that of the result, or 1; the axis that a Concat joins is neither.
  void requireBroadcast(Operation *op, std::optional<int64_t> joined = std::nullopt) {
    std::optional<DimList> result = onnx::getDims(op->getResult(0));
    for (Value operand : op->getOperands()) {
      std::optional<DimList> dims = onnx::getDims(operand);
      if (!result || !dims || dims->size() > result->size())
        continue;
      size_t shift = result->size() - dims->size();
      for (auto [axis, dim] : llvm::enumerate(*dims)) {
        bool isJoined = joined && static_cast<int64_t>(axis) == (*joined < 0 ? *joined + static_cast<int64_t>(result->size()) : *joined);
        if (!isJoined && !(dim.isStatic() && dim.getSize() == 1))
          requireEqual(dim, (*result)[shift + axis]);
      }
    }
  }

  llvm::SetVector<StringAttr> names; ///< of the inputs, and of sizes that nodes find
  llvm::SetVector<Attribute> zeros;
};

struct RequireSizes : impl::RequireSizesPassBase<RequireSizes> {
  void runOnOperation() override {
    Requirements requirements(getOperation());
    for (Operation &op : getOperation().getBody().front())
      requirements.visit(&op);
    if (!requirements.getZeros().empty())
      getOperation()->setAttr("onnx.zero_sizes", ArrayAttr::get(&getContext(), requirements.getZeros()));
  }
};

} // namespace
} // namespace cameo
