// Imports a model whose file is open, for callers that handle failures differently.
#ifndef CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H
#define CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H

#include "frontend/Import/Graph/GraphImporter.h"

namespace cameo {

/// Loads the dialects that a model needs.
void loadImportDialects(mlir::MLIRContext &context);

/// Returns the module before shape inference and verification. Fails after an error.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importOpenModel(ModelFile &file, mlir::MLIRContext &context,
                                                                   const ImportOptions &options,
                                                                   GraphImporter::FailureHandler onFailure = {});

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_IMPORTOPENMODEL_H
