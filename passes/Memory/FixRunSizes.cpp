// --fix-run-sizes: gives dynamic sizes fixed values after planning, so that measurements run the code that is compiled
// for all sizes.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_FIXRUNSIZESPASS
#include "passes/Memory/Passes.h.inc"
namespace {

class SizeFixer {
public:
  SizeFixer(func::FuncOp main, const llvm::StringMap<int64_t> &sizes)
      : main(main), builder(main.getContext()), sizes(sizes) {}

  void run() {
    for (StringRef name : {task::TaskDialect::getDimensionsName(), task::TaskDialect::getZerosName()})
      if (Attribute list = main->getAttr(name))
        main->setAttr(name, fixList(list));
    for (unsigned number = 0; number < main.getNumArguments(); ++number) {
      for (StringRef name : {task::TaskDialect::getSlotName(), task::TaskDialect::getSizesName()})
        if (Attribute list = main.getArgAttr(number, name))
          main.setArgAttr(number, name, fixList(list));
      if (auto tensor = main.getArgAttrOfType<TypeAttr>(number, task::TaskDialect::getTensorName()))
        main.setArgAttr(number, task::TaskDialect::getTensorName(), TypeAttr::get(fixType(tensor.getValue())));
    }
    main.walk([&](task::SizeOp size) { fix(size); });
    main.walk([&](task::DispatchOp dispatch) { dispatch.setExtentAttr(fix(dispatch.getExtent())); });
  }

private:
  Attribute fix(Attribute size) { return makeSize(fixSizes(readSize(size), sizes), builder.getContext()); }

  void fix(task::SizeOp size) {
    Dim dim = fixSizes(size.getExpression(), sizes);
    if (dim.isNamed()) {
      size.setExpressionAttr(dim.getExpr());
      return;
    }
    builder.setInsertionPoint(size);
    size.replaceAllUsesWith(arith::ConstantIndexOp::create(builder, size.getLoc(), dim.getSize()).getResult());
    size.erase();
  }

  ArrayAttr fixList(Attribute list) {
    return builder.getArrayAttr(llvm::map_to_vector(cast<ArrayAttr>(list), [&](Attribute each) { return fix(each); }));
  }

  Type fixType(Type type) {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    if (!dims)
      return type;
    llvm::transform(*dims, dims->begin(), [&](const Dim &dim) { return fixSizes(dim, sizes); });
    return onnx::makeTensorType(*dims, cast<RankedTensorType>(type).getElementType());
  }

  func::FuncOp main;
  OpBuilder builder;
  const llvm::StringMap<int64_t> &sizes;
};

struct FixRunSizes : impl::FixRunSizesPassBase<FixRunSizes> {
  using FixRunSizesPassBase::FixRunSizesPassBase;

  void runOnOperation() override {
    llvm::StringMap<int64_t> numbers;
    for (StringRef text : sizes) {
      auto [name, number] = text.rsplit('=');
      int64_t size = -1;
      if (number.getAsInteger(10, size) || size < 0) {
        getOperation().emitError() << "fix-run-sizes: expected NAME=SIZE, got '" << text << "'";
        return signalPassFailure();
      }
      numbers[name] = size;
    }
    if (auto main = getOperation().lookupSymbol<func::FuncOp>("main"))
      SizeFixer(main, numbers).run();
  }
};

} // namespace
} // namespace cameo
