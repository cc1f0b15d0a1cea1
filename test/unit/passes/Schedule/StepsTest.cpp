// The interfaces of steps, their application, and the rejection of other attributes.
#include "passes/Schedule/Nests/NestDigest.h"
#include "passes/Schedule/Steps/MapSteps.h"
#include "passes/Schedule/Steps/RegisterSteps.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace cameo::schedule;

namespace {

/// Returns a program with one nest of one dimension, without outputs.
TaskProgram oneNest(mlir::MLIRContext &context, int64_t extent) {
  TaskProgram program;
  LoopNest nest(mlir::UnknownLoc::get(&context));
  nest.dims = {{extent, false}};
  program.groups.emplace_back().nests.push_back(std::move(nest));
  return program;
}

StepsAttr tiles(mlir::MLIRContext &context, std::initializer_list<int64_t> sizes) {
  llvm::SmallVector<mlir::Attribute> steps;
  for (int64_t size : sizes)
    steps.push_back(TileAttr::get(&context, /*nest=*/0, /*dim=*/0, size));
  return StepsAttr::get(&context, steps);
}

TEST(Steps, AreAppliedInTheirOrder) {
  mlir::MLIRContext context;
  loadSteps(context);
  llvm::Expected<ScheduledProgram> state = applySteps(tiles(context, {16, 4}), oneNest(context, 64), {});
  ASSERT_TRUE(bool(state)) << llvm::toString(state.takeError());
  EXPECT_EQ(state->schedules[0].loops, (llvm::SmallVector<Loop>{{0, 16}, {0, 4}}));
}

TEST(Steps, OfTheDialectAllHaveAnEffect) {
  mlir::MLIRContext context;
  loadSteps(context);
  StepsAttr steps = parseSteps("#schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 1>, "
                               "#schedule.fuse<nest = 1, last = 2, size = 4>, "
                               "#schedule.flatten<nest = 3, dim = 0>, #schedule.inline<nest = 4>, "
                               "#schedule.tile<nest = 0, dim = 0, size = 4>, "
                               "#schedule.parallel<nest = 0, loops = 1>, "
                               "#schedule.vectorize<nest = 0, dim = 0, lanes = 4>, #schedule.pack<nest = 0, buffer = "
                               "0>, #schedule.prefetch<nest = 0, buffer = 0>, "
                               "#schedule.dot<nest = 0, dim = 0>, #schedule.rfactor<nest = 0, loop = 0>>",
                               &context);
  ASSERT_TRUE(steps);
  for (mlir::Attribute step : steps.getSteps())
    EXPECT_TRUE(llvm::isa<StepEffectInterface>(step));
  EXPECT_EQ(replacingSteps(steps).size(), 4U);
  EXPECT_EQ(toSteps(&context, replacementsOf(steps)), replacingSteps(steps));
}

TEST(Steps, WithoutAnEffectAreRefused) {
  mlir::MLIRContext context;
  context.loadDialect<ScheduleDialect>();
  EXPECT_EQ(llvm::toString(applySteps(tiles(context, {4}), oneNest(context, 64), {}).takeError()),
            "expected a step that can be applied, got #schedule.tile<nest = 0, dim = 0, size = 4>");
}

TEST(Steps, OfNestsThatAreNotThereAreRefused) {
  mlir::MLIRContext context;
  loadSteps(context);
  auto last = StepsAttr::get(&context, {FuseAttr::get(&context, /*nest=*/0, /*last=*/1, /*size=*/4)});
  EXPECT_EQ(llvm::toString(applySteps(last, oneNest(context, 64), {}).takeError()),
            "nest 0: expected a nest below 1, got 1");
}

/// Returns a program with one nest per extent, each in its own group.
TaskProgram nestsOf(mlir::MLIRContext &context, std::initializer_list<int64_t> extents) {
  TaskProgram program;
  for (int64_t extent : extents)
    program.groups.push_back(std::move(oneNest(context, extent).groups.front()));
  return program;
}

TEST(NestDigest, IsOfTheNestsAndNotOfTheirPlaces) {
  mlir::MLIRContext context;
  NestDigest digest = digestOf(nestsOf(context, {16, 64, 32})), other = digestOf(nestsOf(context, {64, 16, 32}));
  EXPECT_EQ(digest.all, digestOf(nestsOf(context, {16, 64, 32})).all);
  EXPECT_NE(digest.all, other.all);
  EXPECT_EQ(digest.each, (std::vector<std::string>{other.each[1], other.each[0], other.each[2]}));
  EXPECT_TRUE(digestOf(oneNest(context, 16)).each.empty()) << "the digest of all says it";
  // The digest is equal on all machines and in all versions: a change would invalidate all records.
  EXPECT_EQ(digestOf(oneNest(context, 16)).all, "5e42c54c849e1ebc");
}

TEST(MapSteps, GivesNestsTheirNewNumbers) {
  mlir::MLIRContext context;
  loadSteps(context);
  NestDigest made = digestOf(nestsOf(context, {16, 64, 32}));
  StepsAttr steps = parseSteps("#schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 2>, #schedule.tile<nest = 1, "
                               "dim = 0, size = 8>, #schedule.parallel<nest = 1, loops = 1>, "
                               "#schedule.tile<nest = 2, dim = 0, size = 4>>",
                               &context);
  StepsAttr expected =
      parseSteps("#schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.parallel<nest = 0, loops = "
                 "1>, #schedule.tile<nest = 1, dim = 0, size = 4>, "
                 "#schedule.tile<nest = 2, dim = 0, size = 2>>",
                 &context);
  llvm::Expected<StepsAttr> mapped = mapSteps(steps, made.each, nestsOf(context, {64, 32, 16}), {});
  ASSERT_TRUE(bool(mapped)) << llvm::toString(mapped.takeError());
  EXPECT_EQ(*mapped, expected);
  EXPECT_EQ(llvm::toString(mapSteps(steps, made.each, nestsOf(context, {64, 32, 8}), {}).takeError()),
            "nest 0, for which it was made, does not exist any more");
  EXPECT_EQ(llvm::toString(mapSteps(steps, made.each, nestsOf(context, {64, 32}), {}).takeError()),
            "it was made for 3 nests, got 2");
}

} // namespace
