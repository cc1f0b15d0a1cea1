// The import of a model whose file is open, for the callers that differ in what they do about failures.
#ifndef CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H
#define CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H

#include "frontend/Import/Graph/GraphImporter.h"

namespace cameo {

/// Loads the dialects that a model needs.
void loadImportDialects(mlir::MLIRContext &context);

/// The module before shape inference, not verified.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importOpenModel(ModelFile &file, mlir::MLIRContext &context,
                                                                   const ImportOptions &options,
                                                                   GraphImporter::FailureHandler onFailure = {});

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H
