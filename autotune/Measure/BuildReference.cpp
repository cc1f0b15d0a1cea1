#include "autotune/Measure/BuildReference.h"

namespace cameo::autotune {

std::shared_ptr<const CheckData> ReferenceBuilder::dataOf(const SearchTask &task) {
  std::shared_ptr<const CheckData> &own = data[task.key];
  if (!own)
    own = std::make_shared<const CheckData>(makeCheckData(task, seed));
  return own;
}

BuildResult ReferenceBuilder::build(const SearchTask &task, std::shared_ptr<const TaskSource> source) {
  BuildResult built = std::move(pool.build(source, {BuildRequest{"", /*verifiesPasses=*/true, dataOf(task)}}).front());
  if (built.error.kind != ErrorKind::None)
    built.error = {ErrorKind::Unknown, "the naive path cannot compute a reference: " + built.error.message};
  return built;
}

} // namespace cameo::autotune
