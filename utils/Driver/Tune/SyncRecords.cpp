#include "utils/Driver/Tune/SyncRecords.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"

using namespace cameo;
using namespace cameo::autotune;

/// Returns the same string for records that replace each other: those of one task, kind of machine and number of
/// threads.
static std::string placeOf(const TuningRecord &record) {
  std::string machine =
      record.triple + '\n' + record.cpu + '\n' + llvm::join(record.extensions, ",") + '\n' + record.nests;
  return record.task + "." + llvm::utohexstr(llvm::xxh3_64bits(machine), /*LowerCase=*/true) + "." +
         std::to_string(record.threads);
}

/// Runs cameo-farm with `action` and `input`, and returns what it prints. Fails with its error message.
static llvm::Expected<std::string> runFarm(llvm::ArrayRef<std::string> farm, llvm::StringRef action,
                                           llvm::StringRef input) {
  UnnamedFile files[3]; // for its input, output and errors
  for (auto [file, bytes] : llvm::zip_equal(files, std::initializer_list<llvm::StringRef>{input, "", ""})) {
    llvm::Expected<UnnamedFile> made = UnnamedFile::hold(bytes);
    if (!made)
      return made.takeError();
    file = std::move(*made);
  }
  std::string inputPath = files[0].pathForOthers(), outputPath = files[1].pathForOthers(),
              errorPath = files[2].pathForOthers();
  llvm::SmallVector<llvm::StringRef> words = {farm.front(), action};
  llvm::append_range(words, farm.drop_front());
  std::string failure;
  int status = llvm::sys::ExecuteAndWait(
      farm.front(), words, std::nullopt,
      {llvm::StringRef(inputPath), llvm::StringRef(outputPath), llvm::StringRef(errorPath)}, 0, 0, &failure);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> printed =
      llvm::MemoryBuffer::getFile(status == 0 ? outputPath : errorPath);
  if (!printed)
    return llvm::createStringError(printed.getError().message());
  llvm::StringRef text = (*printed)->getBuffer();
  if (status == 0)
    return text.str();
  text.consume_front("cameo: error: farm: ");
  return llvm::createStringError("--farm: " + (failure.empty() ? text.rtrim().str() : failure));
}

/// Compares the gains over the default schedule. Differences within the noise do not count.
static bool isClearlyFaster(const TuningRecord &a, const TuningRecord &b) {
  constexpr double noise = 0.98;
  return a.relativeCost().median < noise * b.relativeCost().median;
}

static TuningRecord seedOf(TuningRecord record) {
  record.isSeed = true;
  record.isRelease = record.isInModel = record.isOfModel = record.isDisturbed = false;
  record.costs.clear();
  record.defaultCosts.clear();
  record.proof.reset();
  record.origin = "shared by records sync";
  return record;
}

llvm::Expected<SyncOutcome> cameo::syncRecords(const std::string &path, llvm::ArrayRef<std::string> farm) {
  RecordFile own;
  if (llvm::sys::fs::exists(path)) {
    llvm::Expected<RecordFile> read = readRecords(path);
    if (!read)
      return read.takeError();
    own = std::move(*read);
  }
  llvm::Expected<std::string> shared = runFarm(farm, "records-get", "");
  if (!shared)
    return shared.takeError();
  llvm::StringMap<TuningRecord> theirs;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*shared).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto [place, text] = line.split('\t');
    llvm::Expected<TuningRecord> record = parseRecord(text);
    if (record && mayBeBest(*record))
      theirs[place] = std::move(*record);
    else
      report(Severity::Warning,
             "left out a shared record" + (record ? std::string(", which no task could be compiled with")
                                                  : ": " + llvm::toString(record.takeError())));
  }
  SyncOutcome outcome;
  std::string given;
  for (const TuningRecord &record : distill(own.records)) {
    std::string place = placeOf(record);
    if (auto found = theirs.find(place); found != theirs.end() && !isClearlyFaster(record, found->second))
      continue;
    given += place + '\t' + toJsonLine(record) + '\n';
    ++outcome.given;
  }
  if (outcome.given > 0)
    if (llvm::Error error = runFarm(farm, "records-put", given).takeError())
      return std::move(error);
  llvm::StringSet<> known;
  for (const TuningRecord &record : llvm::concat<const TuningRecord>(own.records, own.seeds))
    known.insert(record.task + record.schedule);
  llvm::Expected<std::unique_ptr<RecordWriter>> writer = RecordWriter::open(path);
  if (!writer)
    return writer.takeError();
  for (const auto &each : theirs) {
    if (!known.insert(each.second.task + each.second.schedule).second)
      continue;
    if (llvm::Error error = (*writer)->append(seedOf(each.second)))
      return std::move(error);
    ++outcome.taken;
  }
  if (llvm::Error error = (*writer)->flush())
    return std::move(error);
  return outcome;
}
