// Writes the page of `cameo report` about a model.
#ifndef CAMEO_UTILS_CAMEO_PAGES_MODELPAGE_H
#define CAMEO_UTILS_CAMEO_PAGES_MODELPAGE_H

#include "utils/Driver/Inspect/ModelPicture.h"
#include "utils/cameo/Bench/BenchReport.h"

namespace cameo {

struct ModelPage {
  std::string model; ///< its file
  int threads = 1;
  ModelPicture picture;
  std::optional<TaskProfile> profile; ///< measured; nothing: times are estimates
};

/// Writes HTML that contains its data, style and scripts, and refers to no other file. Names of the model are escaped,
/// so that none can end a script or an element. The output depends only on `page`.
void writeModelPage(const ModelPage &page, llvm::raw_ostream &os);

} // namespace cameo

#endif
