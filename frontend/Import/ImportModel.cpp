#include "frontend/Import/ImportModel.h"

#include "frontend/Import/Graph/NameExterns.h"
#include "frontend/Import/ImportOpenModel.h"
#include "frontend/Import/Inputs/FlattenInputs.h"
#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/ShapeInference/Passes.h"

#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Path.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

void cameo::loadImportDialects(MLIRContext &context) {
  context.loadDialect<cameo::onnx::OnnxDialect, func::FuncDialect, task::TaskDialect>();
}

FailureOr<OwningOpRef<ModuleOp>> cameo::importOpenModel(ModelFile &file, MLIRContext &context,
                                                        const ImportOptions &options,
                                                        GraphImporter::FailureHandler onFailure) {
  const ::onnx::ModelProto &model = file.getModel();
  Location loc = getFileLocation(&context, file.getPath());
  FailureOr<OperatorResolver> resolver = OperatorResolver::create(model, options.externs, loc);
  if (failed(resolver))
    return failure();
  FailureOr<SmallVector<FlatInput>> inputs = flattenInputs(
      model.graph(), options.forms, [&](StringRef name) { return getValueLocation(&context, file.getPath(), name); },
      loc);
  if (failed(inputs))
    return failure();
  SmallVector<StatedInput> tensors;
  for (const FlatInput &input : *inputs)
    tensors.append(input.tensors);
  FailureOr<DimOptions> dims = DimOptions::create(options.dims, tensors, loc);
  if (failed(dims))
    return failure();

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(module->getBody());
  (*module)->setAttr("onnx.model_name", builder.getStringAttr(llvm::sys::path::stem(file.getPath())));
  (*module)->setAttr("onnx.opset", builder.getI64IntegerAttr(resolver->getOpsets().lookup("")));
  GraphImporter importer(builder, file, *resolver, *dims, options, std::move(onFailure));
  if (failed(importer.importGraph(model.graph(), *inputs)) || failed(nameExterns(*module)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>> cameo::importModel(MLIRContext &context, StringRef path,
                                                    const ImportOptions &options) {
  loadImportDialects(context);
  // The location of an error names the node; printing the whole operation would obscure that.
  bool printsOperations = context.shouldPrintOpOnDiagnostic();
  context.printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context.printOpOnDiagnostic(printsOperations); });

  FailureOr<std::unique_ptr<ModelFile>> file = ModelFile::open(context, path, options.bytes);
  if (failed(file))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> module = importOpenModel(**file, context, options);
  if (failed(module))
    return failure();
  if (options.inferShapes)
    for (auto function : (**module).getOps<func::FuncOp>())
      if (failed(inferShapes(function)))
        return failure();
  if (failed(verify(**module)))
    return failure();
  if (options.onFile) {
    if (!options.bytes)
      options.onFile(path);
    for (const std::string &external : (*file)->getExternalFiles().getPaths())
      options.onFile(external);
  }
  return module;
}
