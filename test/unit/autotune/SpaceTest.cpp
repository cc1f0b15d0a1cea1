// Properties of schedules that are drawn from a search space: they are valid and varied, survive a round trip through
// text, and can be emitted.
#include "TestTasks.h"

#include "autotune/Mutate/Mutator.h"
#include "autotune/Space/RegisterBlock.h"
#include "autotune/Space/SampleNest.h"
#include "autotune/Space/Space.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Emission/Cpu/EmitTask.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"
#include "passes/Schedule/Rules/Complete/FinishBlocks.h"
#include "passes/Schedule/Rules/Operands/PackOperands.h"
#include "passes/Schedule/Rules/PlaceRows.h"
#include "passes/Schedule/Rules/ShareKernels.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <set>

using namespace cameo;
using namespace cameo::autotune;

namespace {

class SpaceTest : public testing::TestWithParam<const char *> {
protected:
  SpaceTest() : task(tasks.get(GetParam())) {
    tasks.getContext()
        .loadDialect<mlir::func::FuncDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                     mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
    space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  }

  /// Returns `count` states: half are drawn, half are mutations of those, some are crossed.
  std::vector<State> draw(unsigned count) {
    Random random(42);
    std::vector<State> states;
    while (states.size() < count) {
      std::optional<State> state;
      if (states.size() < count / 2)
        state = space->sample(random);
      else if (random.chance(0.2))
        state = crossOver(*space, random.pick<State>(states), random.pick<State>(states), random);
      else
        state = mutate(*space, random.pick<State>(states), random, mutationWeights());
      if (state)
        states.push_back(std::move(*state));
    }
    return states;
  }

  /// Emits a copy of the task, which must verify.
  void emit(const State &state) {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&tasks.getContext()));
    auto def = llvm::cast<task::DefOp>(task.def->clone());
    module->push_back(def);
    schedule::TaskProgram program = llvm::cantFail(schedule::buildNests(def, task.constantArguments));
    schedule::StepsAttr steps = space->toSteps(state);
    schedule::ScheduledProgram scheduled =
        llvm::cantFail(schedule::applySteps(steps, std::move(program), task.machine));
    schedule::completeSchedules(scheduled.program, scheduled.schedules, task.machine);
    schedule::finishBlocks(scheduled.program, scheduled.schedules);
    auto scheduleCopy = [&](const schedule::LoopNest &nest) {
      schedule::NestSchedule copied = schedule::defaultSchedule(scheduled.program, nest, /*rowDims=*/0, task.machine);
      schedule::completeSchedule(nest, /*rowDims=*/0, copied, task.machine);
      return copied;
    };
    std::map<unsigned, schedule::ConstantPacking> packings =
        schedule::packOperands(scheduled.program, scheduled.schedules, scheduleCopy);
    schedule::shareKernels(scheduled.program, task.machine);
    schedule::placeRows(scheduled.program);
    schedule::emitTask(def, scheduled.program, scheduled.schedules, packings, task.machine);
    EXPECT_TRUE(llvm::succeeded(mlir::verify(*module)));
  }

  TestTasks tasks;
  SearchTask task;
  std::unique_ptr<Space> space;
};

TEST_P(SpaceTest, EveryStateVerifiesAndSurvivesBeingText) {
  for (const State &state : draw(2000)) {
    ASSERT_TRUE(space->isValid(state));
    schedule::StepsAttr steps = space->toSteps(state);
    std::string text;
    llvm::raw_string_ostream(text) << steps;
    auto parsed = llvm::cast<schedule::StepsAttr>(mlir::parseAttribute(text, &tasks.getContext()));
    ASSERT_EQ(parsed, steps);
    llvm::Expected<State> again = space->fromSteps(parsed);
    ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError()) << text;
    ASSERT_EQ(space->keyOf(*again), space->keyOf(state)) << text;
  }
}

TEST_P(SpaceTest, StatesAreVaried) {
  std::set<StateKey> keys;
  for (const State &state : draw(1000))
    keys.insert(space->keyOf(state));
  EXPECT_GT(keys.size(), 150U);
}

TEST_P(SpaceTest, EveryStateCanBeEmitted) {
  for (const State &state : draw(40))
    emit(state);
}

TEST_P(SpaceTest, HoldsTheDefaultSchedule) {
  State state = space->defaultState();
  emit(state);
  llvm::Expected<State> again = space->fromSteps(space->toSteps(state));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(space->keyOf(*again), space->keyOf(state));
}

/// A sketch leaves sizes and orders open. What it fixes must allow the schedule that the rules choose.
TEST_P(SpaceTest, SketchesLeadToTheDefaultSchedule) {
  State state = space->defaultState();
  for (auto [nest, schedule] : llvm::zip_equal(space->nests(state), state.nests)) {
    auto leads = [&](const NestSketch &sketch) {
      return sketch.vectorDim == schedule.vectorDim && (!sketch.vectorDim || sketch.lanes == schedule.lanes) &&
             llvm::equal(sketch.packedBuffers, schedule.packedBuffers) &&
             llvm::equal(sketch.prefetchedBuffers, schedule.prefetchedBuffers) && sketch.dotDim == schedule.dotDim &&
             sketch.partial == schedule.partialLoop.has_value();
    };
    EXPECT_TRUE(llvm::any_of(nest.sketches, leads));
    // The check of registers for reductions along the lanes is stricter than the rules.
    bool reducesLanes = schedule.vectorDim && nest.traits.isReduction(*schedule.vectorDim);
    EXPECT_TRUE(reducesLanes || isValid(nest.traits, schedule));
  }
}

TEST_P(SpaceTest, ASeedGivesTheSameStates) {
  std::vector<State> first = draw(100), second = draw(100);
  for (auto [a, b] : llvm::zip_equal(first, second))
    EXPECT_EQ(space->keyOf(a), space->keyOf(b));
}

TEST(Space, OneThreadTellsParallelLoopsFromNoneOnly) {
  TestTasks tasks;
  SearchTask task = tasks.get("matmul");
  for (unsigned threads : {1U, 2U}) {
    auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, threads, "SSRSRS"));
    State state = space->defaultState();
    state.nests[0].repeatedLoops = 0;
    StateKey keys[3];
    for (unsigned loops : {0U, 1U, 2U}) {
      state.nests[0].parallelLoops = loops;
      keys[loops] = space->keyOf(state);
    }
    EXPECT_NE(keys[0], keys[1]);
    EXPECT_EQ(keys[1] == keys[2], threads == 1);
  }
}

/// Without byte-product instructions, groups have no advantage and no implementation.
TEST(Space, BytesAreContractedInGroupsWhereTheProcessorDoes) {
  TestTasks tasks;
  SearchTask task = tasks.get("bytes");
  for (ByteProducts unit : {ByteProducts::UnsignedBySigned, ByteProducts::None}) {
    task.machine.byteProducts = unit;
    auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
    Random random(42);
    unsigned inGroups = 0;
    for (unsigned draw = 0; draw < 100; ++draw)
      if (std::optional<State> state = space->sample(random))
        inGroups += state->nests.back().dotDim.has_value();
    EXPECT_EQ(inGroups > 5, unit != ByteProducts::None) << inGroups;
    EXPECT_EQ(space->defaultState().nests.back().dotDim.has_value(), unit != ByteProducts::None);
  }
}

/// The rules estimate what stays in caches; only measurements can decide, so the space has both.
TEST(Space, HasOverlappedTilesThatTheRulesDoNotChoose) {
  TestTasks tasks;
  SearchTask task = tasks.get("two_products");
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  auto tilesOf = [](const Variant &variant) {
    return llvm::count_if(variant.replacements, [](const schedule::Replacement &each) {
      return std::holds_alternative<schedule::FuseStep>(each);
    });
  };
  EXPECT_GT(llvm::count_if(space->allVariants(), tilesOf), 0);
  Random random(42);
  unsigned drawn = 0, other = 0;
  for (; drawn < 400; ++drawn)
    if (std::optional<State> state = space->sample(random)) {
      other += tilesOf(space->variant(*state)) > 0 &&
               space->variant(*state).replacements != space->variant(space->defaultState()).replacements;
      llvm::Expected<State> again = space->fromSteps(space->toSteps(*state));
      ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
      EXPECT_EQ(again->variant, state->variant);
    }
  EXPECT_GT(other, 10U);
  EXPECT_LT(other, drawn / 4) << "they are rarely better";
}

/// Schedules that store single lanes were never among the faster ones, and take as long to compile as two blocks.
TEST(Space, VectorsAreStoredWholeWhereTheyCanBe) {
  TestTasks tasks;
  for (const char *name : {"conv3x3", "conv1x1", "depthwise", "matmul", "pooling", "transpose"}) {
    SearchTask task = tasks.get(name);
    auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
    unsigned strided = 0;
    for (const NestSpace &nest : space->allVariants().front().nests)
      for (const NestSketch &sketch : nest.sketches)
        for (const schedule::Output &output : nest.traits.nest->outputs)
          strided += sketch.vectorDim && !nest.traits.isReduction(*sketch.vectorDim) &&
                     output.address.coefficients[*sketch.vectorDim] != 1;
    // A transposition either loads or stores single lanes.
    EXPECT_EQ(strided > 0, llvm::StringRef(name) == "transpose") << name;
  }
}

/// Longer vectors would be read lane by lane.
TEST(Space, TransposedVectorsFitSquares) {
  TestTasks tasks;
  SearchTask task = tasks.get("transpose");
  task.machine.vectorBytes = 4 * 2 * schedule::maxTransposedLanes;
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  unsigned transposed = 0;
  for (const NestSketch &sketch : space->allVariants().front().nests.front().sketches) {
    const NestTraits &traits = space->allVariants().front().nests.front().traits;
    if (sketch.vectorDim &&
        schedule::squareDim(*traits.nest, *sketch.vectorDim, traits.maxLanes(*sketch.vectorDim), traits.rowDims)) {
      ++transposed;
      EXPECT_EQ(sketch.lanes, schedule::maxTransposedLanes);
    }
  }
  EXPECT_GT(transposed, 0U);
}

/// The rules take such a row as one vector, since all numbers of a block of rows are constants.
TEST(Space, RowsWhosePointsAreNumberedMayBeOneVector) {
  TestTasks tasks;
  SearchTask task = tasks.get("triangle");
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  std::set<unsigned> lanes;
  for (const NestSketch &sketch : space->allVariants().front().nests.front().sketches)
    if (sketch.vectorDim == 2u)
      lanes.insert(sketch.lanes);
  EXPECT_EQ(lanes, (std::set<unsigned>{8, 64}));
}

/// Other schedules would gain no time, and many of them have long code.
TEST(Space, BordersKeepTheirDefaultSchedule) {
  TestTasks tasks;
  SearchTask task = tasks.get("padded");
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  State defaults = space->defaultState();
  Random random(42);
  State state = *space->sample(random);
  std::set<StateKey> keys;
  for (unsigned change = 0; change < 100; ++change) {
    if (std::optional<State> changed = mutate(*space, state, random, mutationWeights()))
      state = std::move(*changed);
    keys.insert(space->keyOf(state));
    ASSERT_EQ(state.nests.size(), 3U);
    for (auto [number, nest] : llvm::enumerate(space->nests(state))) {
      EXPECT_EQ(nest.traits.isFill, number > 0);
      if (nest.traits.isFill)
        EXPECT_EQ(state.nests[number].loops, defaults.nests[number].loops);
    }
  }
  EXPECT_GT(keys.size(), 10U);
}

/// If the transformation loaded single lanes of the weights, all of these schedules would be slow.
TEST(Space, FiltersThatAreTransformedAsTheModelRunsAreLaidOut) {
  TestTasks tasks;
  SearchTask task = tasks.get("conv3x3");
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, task.threads, "SSRSRS"));
  unsigned inParts = 0;
  for (const Variant &variant : space->allVariants()) {
    const auto *step =
        variant.replacements.empty() ? nullptr : std::get_if<schedule::WinogradStep>(&variant.replacements.front());
    if (!step || step->channels == 0)
      continue;
    ++inParts;
    for (const NestSpace &nest : variant.nests)
      if (nest.traits.rowDims > 0 && !nest.traits.nest->hasReduction())
        for (const NestSketch &sketch : nest.sketches)
          EXPECT_EQ(sketch.packedBuffers.size(), 1U);
  }
  EXPECT_GE(inParts, 2U);
}

INSTANTIATE_TEST_SUITE_P(Tasks, SpaceTest, testing::ValuesIn(TestTasks::names().begin(), TestTasks::names().end()),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
