// The choice of a variant in an object for several processors.
#include "cameo/runtime.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace {

/// No machine has all features of the bit mask.
const cameo_cpu cpus[] = {{"best", {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u}}, {"good", {}}, {"any", {}}};

/// Sets CAMEO_CPU during its lifetime; null unsets it.
class Only {
public:
  explicit Only(const char *name) {
    if (const char *value = getenv("CAMEO_CPU"))
      before = value;
    name ? setenv("CAMEO_CPU", name, 1) : unsetenv("CAMEO_CPU");
  }
  ~Only() { before.empty() ? unsetenv("CAMEO_CPU") : setenv("CAMEO_CPU", before.c_str(), 1); }

private:
  std::string before;
};

} // namespace

TEST(ChooseCpu, TakesTheFirstWhoseFeaturesAreThere) {
  Only all(nullptr);
  EXPECT_EQ(cameo_choose_cpu(cpus, 3), 2);
  EXPECT_EQ(cameo_choose_cpu(cpus + 2, 1), 1);
}

TEST(ChooseCpu, IsNoneWhereFeaturesAreMissing) {
  Only all(nullptr);
  EXPECT_EQ(cameo_choose_cpu(cpus, 1), 0);
  EXPECT_EQ(cameo_choose_cpu(nullptr, 0), 0);
}

TEST(ChooseCpu, AllowsTheNamedOneAlone) {
  Only any("any");
  EXPECT_EQ(cameo_choose_cpu(cpus, 3), 3);
  EXPECT_EQ(cameo_choose_cpu(cpus, 2), 0);
}

TEST(ChooseCpu, DoesNotBelieveTheNameOfWhatIsNotThere) {
  Only best("best");
  EXPECT_EQ(cameo_choose_cpu(cpus, 3), 0);
}

TEST(ChooseCpu, ComparesWholeNames) {
  for (const char *name : {"an", "anyone", "Any"}) {
    Only only(name);
    EXPECT_EQ(cameo_choose_cpu(cpus, 3), 0) << name;
  }
  Only empty("");
  EXPECT_EQ(cameo_choose_cpu(cpus, 3), 2);
}
