#include "utils/Driver/Tune/ImportTvm.h"

#include "autotune/Mutate/Mutator.h"
#include "autotune/Records/BestRecord.h"
#include "autotune/Records/TvmLog.h"
#include "autotune/Space/SampleNest.h"
#include "dialects/Files/RegularFile.h"
#include "utils/Driver/Tune/CollectTasks.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <ctime>
#include <map>

using namespace cameo;
using namespace cameo::autotune;
using cameo::schedule::Loop;
using cameo::schedule::NestSchedule;

namespace {

/// Limit of seeds, because each takes a trial from the search.
constexpr size_t seedsPerTask = 8;
/// Number of tile levels over parallel loops in TVM's multi-level tiling.
constexpr unsigned parallelLevels = 3;

/// Tile sizes of each dimension of a nest, by level, outermost first.
using Pieces = std::map<unsigned, llvm::SmallVector<int64_t, 3>>;

/// The search space of a task, and its nest with the most operations.
struct TaskSpace {
  const SessionTask *task;
  std::unique_ptr<Space> space;
  unsigned variant = 0, nest = 0;

  const NestTraits &traits() const { return space->allVariants()[variant].nests[nest].traits; }
};

class Importer {
public:
  explicit Importer(llvm::ArrayRef<SessionTask> tasks);

  llvm::Error read(llvm::StringRef path);
  /// Returns the fastest seeds of each task, in the order of the tasks.
  std::vector<TuningRecord> seeds(const TargetInfo &target) const;
  void report(llvm::raw_ostream &os) const;

private:
  struct Seed {
    double costSeconds;
    std::string schedule, origin;
  };
  std::string take(const TvmTiling &tiling);

  std::vector<TaskSpace> spaces;
  std::map<const SessionTask *, std::map<std::string, Seed>> found; // by schedule
  std::map<std::string, unsigned> skipped;                          // number of lines, by reason
  unsigned lines = 0, taken = 0;
};

} // namespace

Importer::Importer(llvm::ArrayRef<SessionTask> tasks) {
  for (const SessionTask &each : tasks) {
    auto space = Space::create(each.task.def, each.task.constantArguments, each.task.machine, each.task.threads,
                               SearchOptions().structure);
    if (!space) {
      llvm::consumeError(space.takeError());
      continue;
    }
    TaskSpace entry{&each, std::move(*space)};
    // TVM's loops are those of the operator itself, so use the variant that replaces no operator.
    for (auto [number, variant] : llvm::enumerate(entry.space->allVariants()))
      if (variant.replacements.empty())
        entry.variant = number;
    llvm::ArrayRef<NestSpace> nests = entry.space->allVariants()[entry.variant].nests;
    for (auto [number, nest] : llvm::enumerate(nests))
      if (nest.traits.operations > nests[entry.nest].traits.operations)
        entry.nest = number;
    if (!nests.empty() && entry.traits().rowDims == 0 && !entry.traits().reductions.empty())
      spaces.push_back(std::move(entry));
  }
}

// ---- loops ----

/// Gives each of `dims` the tile sizes of the next loop, or of several adjacent loops whose extents multiply to its
/// extent: dimensions that are adjacent in memory are collapsed here. Ignores loops of one iteration. Returns whether
/// all dimensions and loops match.
static bool match(const NestTraits &traits, llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<TvmLoop> loops,
                  unsigned levels, Pieces &pieces) {
  auto next = loops.begin();
  for (unsigned dim : dims) {
    int64_t extent = 1;
    llvm::SmallVector<int64_t, 3> sizes(levels, 1);
    for (; extent < traits.extent(dim) && next != loops.end(); ++next) {
      extent *= next->extent;
      // Tile sizes are aligned at the innermost level. Outer levels without a size of their own get the outermost one.
      for (size_t level = 0; level < next->pieces.size() && level < levels; ++level)
        sizes[levels - 1 - level] *= next->pieces[next->pieces.size() - 1 - level];
      for (size_t level = next->pieces.size(); level > 0 && level < levels; ++level)
        sizes[levels - 1 - level] *= next->pieces.front();
    }
    if (extent != traits.extent(dim))
      return false;
    pieces[dim] = sizes;
  }
  return llvm::all_of(llvm::make_range(next, loops.end()), [](const TvmLoop &loop) { return loop.extent == 1; });
}

/// Tries the loop orders of the layouts of images and filters: channels after rows and columns, or before them.
static std::optional<Pieces> matchLoops(const NestTraits &traits, const TvmTiling &tiling) {
  std::vector<TvmLoop> channelsLast = tiling.parallel;
  if (channelsLast.size() > 2)
    std::rotate(channelsLast.begin() + 1, channelsLast.begin() + 2, channelsLast.end());
  for (const std::vector<TvmLoop> &parallel : {tiling.parallel, channelsLast}) {
    std::vector<TvmLoop> reductions = tiling.reductions;
    for (size_t turn = 0; turn < reductions.size(); ++turn) {
      Pieces pieces;
      if (match(traits, traits.parallel, parallel, parallelLevels, pieces) &&
          match(traits, traits.reductions, reductions, 1, pieces))
        return pieces;
      std::rotate(reductions.begin(), reductions.begin() + 1, reductions.end());
    }
  }
  return std::nullopt;
}

/// Returns the default schedule of the nest with TVM's loops: of the levels S S (R) S, the outer ones become loops, and
/// the innermost S becomes the register block. Returns nothing if no register block is valid.
static std::optional<NestSchedule> scheduleOf(const NestTraits &traits, Pieces pieces) {
  NestSchedule base = schedule::defaultSchedule(*traits.program, *traits.nest, traits.rowDims, traits.machine);
  auto unit = [&](unsigned dim) { return base.vectorDim == dim ? int64_t(base.lanes) : 1; };
  for (unsigned attempt = 0; attempt < 16; ++attempt) {
    NestSchedule schedule = base;
    schedule.loops.clear();
    for (unsigned level = 0; level < parallelLevels; ++level)
      for (unsigned dim : traits.parallel)
        schedule.loops.push_back({dim, int64_t(llvm::alignTo(pieces[dim][level], unit(dim)))});
    for (unsigned dim : traits.reductions)
      schedule.loops.push_back({dim, int64_t(llvm::alignTo(pieces[dim].back(), unit(dim)))});
    if (settle(traits, schedule)) {
      schedule.parallelLoops = enoughParallelLoops(traits, schedule);
      return schedule;
    }
    // TVM leaves spilling to LLVM, but here the block must fit into the registers.
    auto blockOf = [&](unsigned dim) { return llvm::divideCeil(pieces[dim].back(), unit(dim)); };
    unsigned largest =
        *llvm::max_element(traits.parallel, [&](unsigned a, unsigned b) { return blockOf(a) < blockOf(b); });
    if (blockOf(largest) == 1)
      return std::nullopt;
    pieces[largest].back() = llvm::divideCeil(blockOf(largest), 2) * unit(largest);
    for (unsigned level = parallelLevels - 1; level-- > 0;)
      pieces[largest][level] = llvm::alignTo(pieces[largest][level], pieces[largest][level + 1]);
  }
  return std::nullopt;
}

// ---- lines ----

/// Adds seeds to all tasks with these loops. Returns the reason if there are none.
std::string Importer::take(const TvmTiling &tiling) {
  bool isMatched = false, isTaken = false;
  for (const TaskSpace &each : spaces) {
    std::optional<Pieces> pieces = matchLoops(each.traits(), tiling);
    if (!pieces)
      continue;
    isMatched = true;
    State state;
    state.variant = each.variant;
    for (const NestSpace &nest : each.space->allVariants()[each.variant].nests)
      state.nests.push_back(
          schedule::defaultSchedule(*nest.traits.program, *nest.traits.nest, nest.traits.rowDims, nest.traits.machine));
    std::optional<NestSchedule> schedule = scheduleOf(each.traits(), *pieces);
    if (!schedule)
      continue;
    state.nests[each.nest] = *schedule;
    std::string text;
    llvm::raw_string_ostream(text) << each.space->toSteps(state);
    Seed seed{tiling.costSeconds, text, tiling.origin + llvm::formatv(", {0:e3} s there", tiling.costSeconds).str()};
    auto [place, isNew] = found[each.task].try_emplace(text, seed);
    if (!isNew && seed.costSeconds < place->second.costSeconds)
      place->second = seed;
    isTaken = true;
  }
  return isTaken ? "" : isMatched ? "whose tiles are no schedule here" : "with loops that no task of the model has";
}

llvm::Error Importer::read(llvm::StringRef path) {
  constexpr uint64_t largestBytes = uint64_t(4) << 30;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readRegularFile(path, largestBytes);
  if (!buffer)
    return buffer.takeError();
  llvm::SmallVector<llvm::StringRef> texts;
  (*buffer)->getBuffer().split(texts, '\n');
  for (auto [number, text] : llvm::enumerate(texts)) {
    if (text.trim().empty() || text.starts_with("#"))
      continue;
    ++lines;
    llvm::Expected<TvmLine> line = parseTvmLine(text);
    if (!line)
      return llvm::createStringError(path + ":" + llvm::Twine(number + 1) + ": " + llvm::toString(line.takeError()));
    std::string reason = line->tiling ? take(*line->tiling) : line->skipped;
    reason.empty() ? ++taken : ++skipped[reason];
  }
  return llvm::Error::success();
}

// ---- results ----

std::vector<TuningRecord> Importer::seeds(const TargetInfo &target) const {
  std::vector<TuningRecord> records;
  for (const TaskSpace &each : spaces) {
    auto ofTask = found.find(each.task);
    if (ofTask == found.end())
      continue;
    std::vector<const Seed *> sorted;
    for (const auto &[text, seed] : ofTask->second)
      sorted.push_back(&seed);
    llvm::sort(sorted, [](const Seed *a, const Seed *b) {
      return std::tie(a->costSeconds, a->schedule) < std::tie(b->costSeconds, b->schedule);
    });
    for (const Seed *seed : llvm::ArrayRef(sorted).take_front(seedsPerTask)) {
      task::DefOp def = each.task->task.def;
      TuningRecord record;
      record.task = each.task->task.key;
      record.name = def.getSymName().str();
      if (auto flops = def->getAttrOfType<mlir::FloatAttr>("flops"))
        record.flops = flops.getValueAsDouble();
      record.triple = target.triple;
      record.cpu = target.cpu;
      record.extensions = vectorExtensions(target);
      record.threads = each.task->task.threads;
      record.schedule = seed->schedule;
      record.isSeed = true;
      record.origin = seed->origin;
      record.time = llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
      records.push_back(std::move(record));
    }
  }
  return records;
}

void Importer::report(llvm::raw_ostream &os) const {
  os << lines << (lines == 1 ? " line, " : " lines, ") << taken << " of them schedules of tasks of this model\n";
  for (const auto &[reason, count] : skipped)
    os << "  " << count << " skipped: " << reason << '\n';
  for (const TaskSpace &each : spaces)
    if (auto ofTask = found.find(each.task); ofTask != found.end())
      os << task::DefOp(each.task->task.def).getSymName() << "  key " << each.task->task.key << ": "
         << ofTask->second.size() << (ofTask->second.size() == 1 ? " schedule" : " different schedules")
         << (ofTask->second.size() > seedsPerTask
                 ? llvm::formatv(", of which the {0} that were fastest there are kept", seedsPerTask).str()
                 : "")
         << '\n';
}

llvm::LogicalResult cameo::importTvmLogs(const CompileOptions &options, llvm::ArrayRef<std::string> paths,
                                         std::vector<TuningRecord> &seeds, llvm::raw_ostream &log) {
  PhaseRunner phases(options);
  llvm::FailureOr<std::vector<SessionTask>> tasks = collectTasks(phases, options, {});
  if (llvm::failed(tasks))
    return llvm::failure();
  Importer importer(*tasks);
  for (const std::string &path : paths)
    if (llvm::Error error = importer.read(path))
      return reportFailure(std::move(error));
  importer.report(log);
  seeds = importer.seeds(phases.target());
  return llvm::success();
}
