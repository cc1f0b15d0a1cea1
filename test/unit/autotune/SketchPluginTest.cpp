#include "TestTasks.h"

#include "autotune/Space/SketchPlugin.h"
#include "autotune/Space/Space.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace cameo::autotune;

namespace {

TEST(SketchPlugin, ItsRulesComeFirst) {
  ASSERT_EQ(llvm::toString(loadSketchPlugin(CAMEO_TEST_SKETCH_PLUGIN)), "");
  TestTasks tasks;
  SearchTask task = tasks.get("matmul");
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, 1, "SSRSRS"));
  for (const NestSketch &sketch : space->allVariants().front().nests.front().sketches) {
    EXPECT_EQ(sketch.lanes, 4U);
    EXPECT_EQ(sketch.rules.front(), "four-lanes");
  }
}

TEST(SketchPlugin, OtherLibrariesAreErrors) {
  std::string missing = llvm::toString(loadSketchPlugin("/nowhere/rule.so"));
  EXPECT_NE(missing.find("/nowhere/rule.so: "), std::string::npos);
}

} // namespace
