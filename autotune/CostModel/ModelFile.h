// Files of trained models: a line that says what they are for, then the trees: of one ensemble, or of several, each
// behind a line with the number of its bytes. What was damaged never reaches the library that reads trees.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_MODELFILE_H
#define CAMEO_AUTOTUNE_COSTMODEL_MODELFILE_H

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cameo::autotune {

/// Empty, or what went wrong, with the path. There is at least one ensemble of trees.
std::string writeModelFile(const std::string &path, const std::vector<std::string> &ensembles);

struct ModelFileError {
  std::string message; ///< with the name of the file
};

/// The ensembles in the bytes of a file, which is refused when it is none of ours, is damaged, or was trained with
/// another version of the features.
std::variant<std::vector<std::string_view>, ModelFileError> treesOf(const std::string &name, std::string_view bytes);

} // namespace cameo::autotune

#endif
