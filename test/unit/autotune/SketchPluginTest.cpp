#include "TestTasks.h"

#include "autotune/Space/Space.h"
#include "utils/Plugin/Plugin.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace cameo::autotune;

namespace {

TEST(SketchPlugin, ItsRulesComeFirst) {
  const Plugin *plugin = llvm::cantFail(Plugin::load(CAMEO_TEST_SKETCH_PLUGIN));
  EXPECT_EQ(plugin, llvm::cantFail(Plugin::load(CAMEO_TEST_SKETCH_PLUGIN)));
  TestTasks tasks;
  SearchTask task = tasks.get("matmul");
  auto space = llvm::cantFail(
      Space::create(task.def, task.constantArguments, task.machine, 1, "SSRSRS", plugin->getSketchRules()));
  for (const NestSketch &sketch : space->allVariants().front().nests.front().sketches) {
    EXPECT_EQ(sketch.lanes, 4U);
    EXPECT_EQ(sketch.rules.front(), "four-lanes");
  }
}

TEST(SketchPlugin, OtherLibrariesAreErrors) {
  std::string missing = llvm::toString(Plugin::load("/nowhere/rule.so").takeError());
  EXPECT_NE(missing.find("plugin /nowhere/rule.so: "), std::string::npos);
}

} // namespace
