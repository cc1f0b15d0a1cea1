#include "utils/Driver/CompileModel.h"

#include "dialects/Files/RegularFile.h"
#include "passes/Codegen/GenerateCode.h"
#include "passes/Codegen/Gpu/CachePtxas.h"
#include "passes/Codegen/Header/EmitCppHeader.h"
#include "passes/Codegen/Header/EmitHeader.h"
#include "passes/Target/CpuList.h"
#include "utils/Driver/Budgets/CheckBudgets.h"
#include "utils/Driver/Budgets/FitBudgets.h"
#include "utils/Driver/Budgets/FitText.h"
#include "utils/Driver/CheckNoLibc.h"
#include "utils/Driver/DependencyFile.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Link/LinkModel.h"
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Tune/SelectTask.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Triple.h"

#include <list>

using namespace cameo;
using llvm::StringRef;

static llvm::LogicalResult fail(const llvm::Twine &message) { return reportFailure(message); }
static llvm::LogicalResult fail(llvm::Error error) { return reportFailure(std::move(error)); }

namespace {

/// One compilation: runs the phases on a module and writes the output files.
class Compilation {
public:
  explicit Compilation(const CompileOptions &options) : options(options), phases(options) {}

  llvm::LogicalResult run();

private:
  llvm::LogicalResult resolveOptions();
  llvm::LogicalResult resolveOutputs();
  llvm::LogicalResult resolveMemoryOutputs();
  llvm::LogicalResult checkFiles() const;
  llvm::LogicalResult checkTargets() const;
  llvm::LogicalResult checkGpuOptions() const;
  llvm::LogicalResult lower();
  llvm::LogicalResult selectTask();
  llvm::LogicalResult generateCode();
  llvm::Expected<llvm::raw_pwrite_stream *> open(StringRef path, llvm::SmallVector<char, 0> MemoryOutputs::*buffer);
  llvm::LogicalResult expectExterns();
  std::optional<ModelSize> generateAgain();
  llvm::LogicalResult fitText();
  llvm::LogicalResult checkBudgets();
  llvm::LogicalResult reportVariants();
  llvm::LogicalResult writeModule();
  llvm::LogicalResult writeCode();
  llvm::LogicalResult writeLibrary();
  llvm::LogicalResult writeProgram();
  llvm::LogicalResult writeHeader();
  llvm::LogicalResult writeCppHeader();
  llvm::LogicalResult writeWeights();
  llvm::LogicalResult writeDepfile();
  llvm::LogicalResult write();
  bool isLinked() const { return options.emit == EmitKind::Lib || options.emit == EmitKind::Exe; }

  CompileOptions options;
  PhaseRunner phases;
  CodegenOptions codegen;
  std::vector<MemoryUse> memoryUse; ///< of each target, if there are budgets
  std::optional<GeneratedCode> code;
  OutputFiles files;
  std::list<llvm::raw_svector_ostream> buffers; ///< streams into options.memory
};

} // namespace

// ---- options ----

llvm::LogicalResult Compilation::resolveMemoryOutputs() {
  for (auto [name, file] : {std::pair("-o", &options.output),
                            {"--header", &options.header},
                            {"--cpp-header", &options.cppHeader},
                            {"--depfile", &options.depfile}})
    if (!file->empty())
      return fail(llvm::Twine(name) + ": expected no file, the outputs stay in memory");
  if (isLinked())
    return fail("--emit=" + emitName(options.emit) + ": expected an output that is not linked, to keep it in memory");
  *options.memory = MemoryOutputs();
  return llvm::success();
}

llvm::LogicalResult Compilation::resolveOutputs() {
  if (options.output.empty())
    options.output = defaultOutput(options.model, options.emit);
  // An output that is a device or a pipe gets no header beside it.
  bool isFile = options.output != "-" &&
                (!llvm::sys::fs::exists(options.output) || llvm::sys::fs::is_regular_file(options.output));
  if (options.emit == EmitKind::Obj && options.header.empty() && isFile) {
    llvm::SmallString<256> header(options.output);
    llvm::sys::path::replace_extension(header, "h");
    options.header = std::string(header);
  }
  if (isLinked() && options.output == "-")
    return fail("-o: --emit=" + emitName(options.emit) + " cannot go to standard output");
  if (!options.cppHeader.empty() && (options.header.empty() || options.header == "-" || options.emit < EmitKind::Llvm))
    return fail("--cpp-header: expected a C header that it includes: name one with --header");
  if (!options.cppHeader.empty() && llvm::StringRef(options.header).find_first_of("\"\n\r") != llvm::StringRef::npos)
    return fail("--cpp-header: expected a C header whose name #include can spell, got '" + options.header + "'");
  if (!options.depfile.empty() && options.output == "-")
    return fail("--depfile: expected an output that is a file, got standard output; see -o");
  if (!options.budgets.isEmpty() && options.emit < EmitKind::Obj)
    return fail("--max-arena, --max-text and --max-weights: --emit=" + emitName(options.emit) + " makes no object");
  if (options.noLibc && options.emit != EmitKind::Obj)
    return fail("--no-libc: --emit=" + emitName(options.emit) + " makes no object");
  if (!options.weights.empty() && options.emit < EmitKind::Obj)
    return fail("--weights: --emit=" + emitName(options.emit) + " writes no weights");
  if (!options.externFiles.empty() && !isLinked())
    return fail("--extern-lib: --emit=" + emitName(options.emit) + " is not linked; link the object with the file");
  if (!options.task.empty() && (options.emit < EmitKind::Tasks || !isString(options.emit)))
    return fail("--task: --emit=" + emitName(options.emit) +
                " is of the whole model; expected tasks, linalg, nests, loops, llvm or asm");
  return checkFiles();
}

/// No output may be written over the model or over another output, and each must have a folder that can be written to.
llvm::LogicalResult Compilation::checkFiles() const {
  auto isSameFile = [](StringRef a, StringRef b) {
    bool isFile = !a.empty() && a != "-" && (!llvm::sys::fs::exists(a) || llvm::sys::fs::is_regular_file(a));
    return isFile && (a == b || llvm::sys::fs::equivalent(a, b));
  };
  const std::pair<const char *, StringRef> outputs[] = {{"-o", options.output},
                                                        {"--header", options.header},
                                                        {"--cpp-header", options.cppHeader},
                                                        {"--weights", options.weights},
                                                        {"--depfile", options.depfile}};
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (llvm::Error error = OutputFiles::check(output.second))
      return fail(llvm::toString(std::move(error)));
    if (isSameFile(output.second, options.model))
      return fail(llvm::Twine(output.first) + ": expected a file other than the model, got '" + output.second + "'");
    for (const auto &other : llvm::ArrayRef(outputs).take_front(index))
      if (isSameFile(output.second, other.second))
        return fail(llvm::Twine(output.first) + ": expected a file other than that of " + other.first + ", got '" +
                    output.second + "'");
  }
  return llvm::success();
}

/// Fails if an option does not work with several CPUs.
llvm::LogicalResult Compilation::checkTargets() const {
  if (phases.targets().size() == 1)
    return llvm::success();
  if (options.emit < EmitKind::Llvm)
    return fail("--emit=" + emitName(options.emit) + ": expected one CPU, got '" + options.cpu + "'");
  // On AArch64 only the kernel reports the features of the CPU to programs, through the C library.
  if (options.noLibc && llvm::Triple(phases.target().triple).isAArch64())
    return fail("--no-libc: expected one CPU for " + phases.target().triple + ", got '" + options.cpu +
                "': without a C library a program cannot detect its CPU");
  return llvm::success();
}

/// Fails if an option works only with a CPU.
llvm::LogicalResult Compilation::checkGpuOptions() const {
  if (options.noLibc)
    return fail("--no-libc: expected no --gpu: the driver of GPUs needs a C library");
  if (!options.task.empty())
    return fail("--task: expected no --gpu");
  if (options.gpuCodeName == "host" && !phases.target().isHostArchitecture)
    return fail("--gpu-code=host: expected this machine as --target, got '" + options.target + "'");
  return llvm::success();
}

llvm::LogicalResult Compilation::resolveOptions() {
  if (options.prefix.empty())
    options.prefix = prefixFromPath(options.model);
  if (llvm::Error error = checkPrefix(options.prefix))
    return fail("--prefix: " + llvm::toString(std::move(error)));
  if (llvm::failed(options.memory ? resolveMemoryOutputs() : resolveOutputs()) ||
      llvm::failed(phases.resolveTargets()) || llvm::failed(checkTargets()))
    return llvm::failure();
  const TargetInfo &target = phases.target();
  if (target.gpu && llvm::failed(checkGpuOptions()))
    return llvm::failure();
  if (options.emit == EmitKind::Exe && !target.isHostArchitecture)
    return fail("--emit=exe works for this machine only: link the object with a compiler for " + target.triple);
  codegen.targets = phases.targets();
  codegen.prefix = options.prefix;
  codegen.modelName = llvm::sys::path::stem(options.model).str();
  codegen.externalWeights = !options.weights.empty() && !options.weightsIfLarge;
  codegen.externalIfLarge = options.weightsIfLarge;
  codegen.largestWeights = options.largestWeights.value_or(codegen.largestWeights);
  codegen.isReference = options.naive || options.plainTasks;
  codegen.onlyTask = options.task;
  codegen.gpuCode = gpuCodeOf(options.gpuCodeName);
  codegen.gpuLaunch = gpuLaunchOf(options.gpuLaunch);
  codegen.gpuDependentLaunch = options.gpuDependentLaunch == "on";
  codegen.gpus = phases.gpus();
  codegen.ptxas = options.ptxas;
  codegen.ptxasCache = target.gpu ? findPtxasCache() : "";
  codegen.reportsKernels = options.verbose;
  codegen.linkImage = linkCandidate;
  if (options.verbose)
    report(Severity::Remark,
           "compiling " + options.model + " for " + target.triple + ", " + cpuNames(phases.targets(), ", "));
  return llvm::success();
}

// ---- phases ----

/// Returns the last phase that runs before the text of --emit is printed.
static std::optional<Phase> lastPhase(EmitKind emit) {
  switch (emit) {
  case EmitKind::Onnx:
    return std::nullopt;
  case EmitKind::Graph:
    return Phase::Layout;
  case EmitKind::Tasks:
    return Phase::Partition;
  case EmitKind::Linalg:
    return Phase::Lower;
  case EmitKind::Nests:
    return Phase::Schedule;
  default:
    return Phase::Memory;
  }
}

llvm::LogicalResult Compilation::lower() {
  if (llvm::failed(phases.import()))
    return llvm::failure();
  std::optional<Phase> last = lastPhase(options.emit);
  if (!options.budgets.isEmpty()) {
    // No schedules of a GPU can be changed to fit a budget.
    if (phases.target().gpu)
      return planMemory(phases, memoryUse);
    std::optional<std::vector<MemoryUse>> uses = scheduleWithin(options.budgets, phases, options.verbose);
    if (!uses)
      return llvm::failure();
    memoryUse = std::move(*uses);
  }
  // Phase::Memory, the last one, only assigns offsets, so it does not change the uses that were found before.
  return phases.forEachTarget([&] { return last ? phases.runUntil(*last) : llvm::success(); });
}

llvm::LogicalResult Compilation::selectTask() {
  if (options.task.empty())
    return llvm::success();
  if (llvm::Error error = checkTask(phases.module(), options.task))
    return fail(options.model + ": " + llvm::toString(std::move(error)));
  // Code generation needs the memory plan of the whole model.
  if (options.emit < EmitKind::Llvm)
    keepTask(phases.module(), options.task);
  return llvm::success();
}

llvm::LogicalResult Compilation::generateCode() {
  if (options.emit < EmitKind::Llvm)
    return llvm::success();
  // Weights are written while they are hashed, so they are read only once. With a budget for code, code generation may
  // run again, so the weights are not final yet.
  if (codegen.externalWeights && !options.budgets.text) {
    llvm::Expected<llvm::raw_pwrite_stream *> os = open(options.weights, &MemoryOutputs::weights);
    if (!os)
      return fail(os.takeError());
    codegen.weightsFile = *os;
  }
  return phases.run("codegen", [&]() -> llvm::LogicalResult {
    mlir::FailureOr<GeneratedCode> generated = GeneratedCode::create(phases.modules(), codegen);
    if (mlir::succeeded(generated))
      code.emplace(std::move(*generated));
    codegen.externalWeights = code && code->hasExternalWeights();
    return generated;
  });
}

/// Fails if the output is linked but the functions that the model calls are missing.
llvm::LogicalResult Compilation::expectExterns() {
  // A linker would wait for data from a pipe.
  for (const std::string &path : options.externFiles) {
    llvm::Expected<RegularFile> file = openRegularFile(path);
    if (!file)
      return fail("--extern-lib: " + path + ": " + llvm::toString(file.takeError()));
    llvm::sys::Process::SafelyCloseFileDescriptor(file->descriptor);
  }
  const std::vector<PlannedExtern> &functions = code->getPlan().externs;
  if (functions.empty() || !options.externFiles.empty())
    return llvm::success();
  std::string names = llvm::join(
      llvm::map_range(functions,
                      [&](const PlannedExtern &function) { return options.prefix + "_" + function.function; }),
      ", ");
  return fail(options.model +
              ": expected a file with the functions that --extern-ops leaves to the program; --extern-lib=FILE names "
              "one that has " +
              names);
}

/// Generates code for the current schedules of the tasks, and measures it.
std::optional<ModelSize> Compilation::generateAgain() {
  memoryUse.clear();
  if (llvm::failed(phases.forEachTarget([&] { return planMemory(phases, memoryUse); })) || llvm::failed(generateCode()))
    return std::nullopt;
  llvm::Expected<ModelSize> size = measureCode(*code, {});
  if (!size) {
    (void)fail(size.takeError());
    return std::nullopt;
  }
  return std::move(*size);
}

llvm::LogicalResult Compilation::fitText() {
  if (!options.budgets.text || phases.target().gpu)
    return llvm::success();
  llvm::Expected<ModelSize> size = measureCode(*code, {});
  if (!size)
    return fail(size.takeError());
  llvm::LogicalResult fitted =
      cameo::fitText(*options.budgets.text, *size, phases, [&] { return generateAgain(); }, options.verbose);
  phases.dropUnscheduled();
  return fitted;
}

llvm::LogicalResult Compilation::checkBudgets() {
  if (options.budgets.isEmpty())
    return llvm::success();
  llvm::Expected<ModelSize> size = measureCode(*code, std::move(memoryUse));
  if (!size)
    return fail(size.takeError());
  return cameo::checkBudgets(options.budgets, *size, options.model);
}

llvm::LogicalResult Compilation::reportVariants() {
  if (!options.verbose || !codegen.hasChoice() || options.emit < EmitKind::Obj)
    return llvm::success();
  llvm::Expected<ModelSize> size = measureCode(*code, {});
  if (!size)
    return fail(size.takeError());
  cameo::reportVariants(*size);
  return llvm::success();
}

// ---- output ----

llvm::Expected<llvm::raw_pwrite_stream *> Compilation::open(StringRef path,
                                                            llvm::SmallVector<char, 0> MemoryOutputs::*buffer) {
  return options.memory ? &buffers.emplace_back(options.memory->*buffer) : files.open(path);
}

llvm::LogicalResult Compilation::writeModule() {
  llvm::Expected<llvm::raw_pwrite_stream *> os = open(options.output, &MemoryOutputs::output);
  if (!os)
    return fail(os.takeError());
  // Large weights would make the text unreadable; small constants are worth reading. Only large ones are resources, and
  // MLIR makes the text of each before it compares its length with a limit above 0.
  constexpr int64_t shownElements = 16;
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(shownElements).elideLargeResourceString(0);
  phases.module().print(**os, flags);
  return llvm::success();
}

llvm::LogicalResult Compilation::writeCode() {
  llvm::Expected<llvm::raw_pwrite_stream *> os = open(options.output, &MemoryOutputs::output);
  if (!os)
    return fail(os.takeError());
  if (options.emit == EmitKind::Obj) {
    if (llvm::Error error = code->writeObject(**os))
      return fail(std::move(error));
  } else if (options.emit == EmitKind::Llvm) {
    code->writeLlvm(**os);
  } else {
    code->writeAssembly(**os);
  }
  return llvm::success();
}

/// The linker only reserves space for the weights, which are written into its output. Otherwise its input and its
/// output in memory would be two more copies of them.
llvm::LogicalResult Compilation::writeLibrary() {
  llvm::Expected<UnnamedFile> object =
      UnnamedFile::hold([&](llvm::raw_pwrite_stream &to) { return code->writeUnfilledObject(to); });
  if (!object)
    return fail(object.takeError());
  llvm::Expected<llvm::raw_pwrite_stream *> os = files.open(options.output, /*executable=*/true);
  if (!os)
    return fail(os.takeError());
  auto writeWeights = [&](llvm::raw_ostream &to) { code->writeInnerWeights(to); };
  llvm::Error error = linkSharedLibrary({object->path(),
                                         options.externFiles,
                                         phases.target().isHostArchitecture,
                                         {code->getWeightsSymbol(), code->getInnerWeightBytes(), writeWeights}},
                                        **os);
  return error ? fail(std::move(error)) : llvm::success();
}

llvm::LogicalResult Compilation::writeProgram() {
  llvm::Expected<UnnamedFile> object =
      UnnamedFile::hold([&](llvm::raw_pwrite_stream &to) { return code->writeObject(to); });
  if (!object)
    return fail(object.takeError());
  llvm::Expected<std::string> output = files.reserve(options.output, /*executable=*/true);
  if (!output)
    return fail(output.takeError());
  std::optional<std::string> compiler = llvm::sys::Process::GetEnv("CC");
  llvm::Error error = linkProgram({*object, options.output, options.prefix, compiler ? StringRef(*compiler) : "cc",
                                   options.externFiles, code->isForGpu()},
                                  *output);
  return error ? fail(std::move(error)) : llvm::success();
}

llvm::LogicalResult Compilation::writeHeader() {
  if (options.header.empty() && !(options.memory && options.emit == EmitKind::Obj))
    return llvm::success();
  llvm::Expected<llvm::raw_pwrite_stream *> os = open(options.header, &MemoryOutputs::header);
  if (!os)
    return fail(os.takeError());
  emitHeader(code->getPlan(), codegen, **os);
  return llvm::success();
}

llvm::LogicalResult Compilation::writeCppHeader() {
  if (options.cppHeader.empty())
    return llvm::success();
  llvm::Expected<llvm::raw_pwrite_stream *> os = files.open(options.cppHeader);
  if (!os)
    return fail(os.takeError());
  emitCppHeader(code->getPlan(), codegen, llvm::sys::path::filename(options.header), **os);
  return llvm::success();
}

llvm::LogicalResult Compilation::writeWeights() {
  if (!codegen.externalWeights || codegen.weightsFile)
    return llvm::success();
  llvm::Expected<llvm::raw_pwrite_stream *> os = open(options.weights, &MemoryOutputs::weights);
  if (!os)
    return fail(os.takeError());
  code->writeWeightsFile(**os);
  return llvm::success();
}

llvm::LogicalResult Compilation::writeDepfile() {
  if (options.depfile.empty())
    return llvm::success();
  llvm::Expected<llvm::raw_pwrite_stream *> os = files.open(options.depfile);
  if (!os)
    return fail(os.takeError());
  std::vector<std::string> sources = phases.filesRead();
  llvm::append_range(sources, options.externFiles);
  if (llvm::Error error = writeDependencies(options.output, sources, **os))
    return fail(std::move(error));
  return llvm::success();
}

llvm::LogicalResult Compilation::write() {
  llvm::LogicalResult written = !code                           ? writeModule()
                                : options.emit == EmitKind::Lib ? writeLibrary()
                                : options.emit == EmitKind::Exe ? writeProgram()
                                                                : writeCode();
  if (llvm::failed(written) ||
      (code && (llvm::failed(writeHeader()) || llvm::failed(writeCppHeader()) || llvm::failed(writeWeights()))) ||
      llvm::failed(writeDepfile()))
    return llvm::failure();
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return llvm::success();
}

llvm::LogicalResult Compilation::run() {
  if (llvm::failed(resolveOptions()) || llvm::failed(lower()) || llvm::failed(selectTask()) ||
      llvm::failed(generateCode()) || llvm::failed(fitText()) || (isLinked() && llvm::failed(expectExterns())) ||
      llvm::failed(checkBudgets()) || (options.noLibc && llvm::failed(checkNoLibc(*code, options.model))) ||
      llvm::failed(reportVariants()))
    return llvm::failure();
  if (llvm::failed(phases.time("write", [&] { return write(); })))
    return llvm::failure();
  if (options.timing)
    phases.printTimes(llvm::errs());
  return llvm::success();
}

llvm::LogicalResult cameo::compileModel(const CompileOptions &options) {
  llvm::LogicalResult result = Compilation(options).run();
  if (options.memory && llvm::failed(result))
    *options.memory = MemoryOutputs();
  return result;
}
