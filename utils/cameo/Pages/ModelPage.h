// The page of `cameo report` about a model.
#ifndef CAMEO_UTILS_CAMEO_PAGES_MODELPAGE_H
#define CAMEO_UTILS_CAMEO_PAGES_MODELPAGE_H

#include "utils/Driver/Inspect/ModelPicture.h"
#include "utils/cameo/Bench/BenchReport.h"

namespace cameo {

struct ModelPage {
  std::string model; ///< its file
  int threads = 1;
  ModelPicture picture;
  std::optional<TaskProfile> profile; ///< measured; without, times are estimates
};

/// Writes HTML that holds its data, style and scripts: it refers to nothing outside of itself, and no name of the model
/// ends a script or an element. The same arguments give the same bytes.
void writeModelPage(const ModelPage &page, llvm::raw_ostream &os);

} // namespace cameo

#endif
