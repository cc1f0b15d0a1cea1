#include "passes/Target/CpuList.h"

#include "passes/Target/CpuFeatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {

/// Whether a machine with all of `more` has all of `fewer`.
static bool includes(const CpuFeatures &more, const CpuFeatures &fewer) {
  return all_of(zip_equal(more, fewer), [](auto words) { return (std::get<1>(words) & ~std::get<0>(words)) == 0; });
}

/// Each in turn is the last one that no other of those that are left has more features than.
static std::vector<TargetInfo> orderByPreference(std::vector<TargetInfo> targets) {
  std::vector<TargetInfo> ordered;
  while (!targets.empty()) {
    auto isLargest = [&](const TargetInfo &target) {
      return none_of(targets, [&](const TargetInfo &other) {
        return &other != &target && includes(other.required, target.required);
      });
    };
    auto next = std::prev(find_if(reverse(targets), isLargest).base());
    ordered.push_back(std::move(*next));
    targets.erase(next);
  }
  return ordered;
}

Expected<std::vector<TargetInfo>> resolveTargets(StringRef triple, StringRef cpus) {
  SmallVector<StringRef> names;
  cpus.split(names, ',');
  std::vector<TargetInfo> targets;
  for (StringRef name : names) {
    if (name.empty() && names.size() > 1)
      return createStringError("expected names of CPUs with one comma between, got '" + cpus + "'");
    Expected<TargetInfo> target = resolveTarget(triple, name);
    if (!target)
      return target.takeError();
    targets.push_back(std::move(*target));
  }
  if (targets.size() == 1)
    return targets;
  for (auto [number, target] : enumerate(targets)) {
    Expected<CpuFeatures> required = requiredFeatures(target);
    if (!required)
      return required.takeError();
    target.required = *required;
    for (const TargetInfo &other : ArrayRef(targets).take_front(number)) {
      if (other.cpu == target.cpu)
        return createStringError("the CPU '" + target.cpu + "' is named twice in '" + cpus + "'");
      if (other.required == target.required)
        return createStringError("the CPUs '" + other.cpu + "' and '" + target.cpu +
                                 "' have the same features that can be detected at run time: expected one of them");
    }
  }
  return orderByPreference(std::move(targets));
}

std::string cpuNames(ArrayRef<TargetInfo> targets, StringRef separator) {
  return join(map_range(targets, [](const TargetInfo &target) { return target.cpu; }), separator);
}

} // namespace cameo
