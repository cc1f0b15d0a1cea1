// Reads and writes files of trained models. A file begins with a header line. The trees follow: of a single ensemble,
// or of several, each after a line with its number of bytes. Damaged files are rejected before XGBoost reads them.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_MODELFILE_H
#define CAMEO_AUTOTUNE_COSTMODEL_MODELFILE_H

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cameo::autotune {

/// Writes `ensembles`, at least one. Returns "" or an error message with the path.
std::string writeModelFile(const std::string &path, const std::vector<std::string> &ensembles);

struct ModelFileError {
  std::string message; ///< with the name of the file
};

/// Returns the ensembles in the bytes of a file. Fails if it is no model file, is damaged, or was trained with another
/// version of the features.
std::variant<std::vector<std::string_view>, ModelFileError> treesOf(const std::string &name, std::string_view bytes);

} // namespace cameo::autotune

#endif
