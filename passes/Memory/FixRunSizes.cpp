// --fix-run-sizes: what is measured at some sizes must be the code for all sizes.
#include "dialects/Onnx/DimLimits.h"
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
    main.walk([&](task::SizeOp size) { size.setExpression(spell(size.getExpressionAttr())); });
    main.walk([&](task::DispatchOp dispatch) {
      if (auto expression = dyn_cast<StringAttr>(dispatch.getExtent())) {
        onnx::Dim extent = onnx::fixSizes(onnx::Dim::named(expression), sizes);
        dispatch.setExtentAttr(extent.isStatic() ? Attribute(builder.getI64IntegerAttr(extent.getSize()))
                                                 : extent.getName());
      }
    });
  }

private:
  /// A number in place of an expression where only expressions may stand.
  StringAttr spell(StringAttr expression) {
    onnx::Dim dim = onnx::fixSizes(onnx::Dim::named(expression), sizes);
    return dim.isStatic() ? builder.getStringAttr(Twine(dim.getSize())) : dim.getName();
  }

  ArrayAttr fixList(Attribute list) {
    return builder.getArrayAttr(llvm::map_to_vector(cast<ArrayAttr>(list).getAsRange<StringAttr>(),
                                                    [&](StringAttr each) -> Attribute { return spell(each); }));
  }

  Type fixType(Type type) {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    if (!dims)
      return type;
    llvm::transform(*dims, dims->begin(), [&](const onnx::Dim &dim) { return onnx::fixSizes(dim, sizes); });
    return onnx::makeTensorType(*dims, cast<RankedTensorType>(type).getElementType());
  }

  func::FuncOp main;
  Builder builder;
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
