// What a caller of the compiler may choose; one struct for all tools.
#ifndef CAMEO_UTILS_DRIVER_COMPILEOPTIONS_H
#define CAMEO_UTILS_DRIVER_COMPILEOPTIONS_H

#include "frontend/Import/Graph/ExternOperators.h"
#include "frontend/Import/Inputs/InputForms.h"
#include "passes/Codegen/CodegenOptions.h"
#include "utils/Plugin/Plugins.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// What is written: the IR after a phase, or one of the forms of the result.
enum class EmitKind {
  Onnx,   // as imported
  Graph,  // after passes/Graph and passes/Layout
  Tasks,  // after passes/Partition
  Linalg, // after passes/Lower
  Nests,  // the loop dialect, after schedules are applied
  Loops,  // kernels, after passes/Schedule and passes/Memory
  Llvm,   // optimised LLVM IR
  Asm,    // assembly
  Obj,    // object file and header
  Lib,    // shared library
  Exe     // program with a generic main
};

/// "onnx", "graph", ...
llvm::StringRef emitName(EmitKind kind);
std::optional<EmitKind> parseEmit(llvm::StringRef name);
std::vector<std::string> allEmitNames();

/// The forms that people read; they go to standard output unless a file is named.
inline bool isText(EmitKind kind) { return kind <= EmitKind::Asm; }

/// What a task without a record is, if tuning could have given it one: Locked fails the compilation, Warn says so,
/// Silent does not, Off does not look at the records. Borders takes from
/// them which tasks become two or one, and no schedules.
enum class RecordsPolicy { Locked, Warn, Silent, Off, Borders };

/// A task that becomes two, behind an operation of its body.
struct TaskSplit {
  std::string task; ///< its key
  unsigned number;  ///< of the operation
};

/// Two tasks that become one where the second reads what the first computes.
struct TaskMerge {
  std::string task, with; ///< keys of both
  unsigned operand;       ///< of the second
};

struct RecordsOptions {
  std::string file; ///< empty: none
  RecordsPolicy policy = RecordsPolicy::Warn;
  bool withVariants = true; ///< for ranges of sizes that records have
  // Beside those of the file:
  std::vector<TaskSplit> splits;
  std::vector<TaskMerge> merges; ///< one after the other
};

/// What a compilation makes, for a caller that wants no files.
struct MemoryOutputs {
  llvm::SmallVector<char, 0> output, header, weights;
};

/// What a result may have at most, in bytes; none: as many as it needs.
struct Budgets {
  std::optional<int64_t> arena, text, weights;
  bool isEmpty() const { return !arena && !text && !weights; }
};

/// Results inside of the model that become outputs behind its own: those of all tasks, or those of all nodes as they
/// were imported.
enum class InnerOutputs { None, Tasks, Nodes };

struct CompileOptions {
  std::string model; // path of the ONNX file
  std::optional<llvm::StringRef>
      modelBytes;                  // the model itself: `model` names it in messages, and its folder holds external data
  MemoryOutputs *memory = nullptr; // where everything goes that else goes to files
  const std::atomic<bool> *isCancelled = nullptr; // looked at before each pass
  std::string output;                             // path, "-", or empty for the default
  std::string header;                             // path; empty: beside the object
  std::string cppHeader;                          // path of a C++ header over that; empty: none
  std::string prefix;                             // of all symbols; empty: from the file's name
  std::string target;                             // triple; empty: the host
  std::string cpu;                                // empty: the host's, or the target's baseline
  std::string machine;                    // what is to be known of it, see describeMachine; empty: what a table says
  std::string gpu;                        // the devices that kernels run on, with commas between; empty: the processor
  std::string gpuMath = "f32";            // what they multiply where the model has float32, as GpuMachine.h names it
  std::string gpuCodeName = "auto";       // what their code is: auto, ptx, binary, host
  std::string gpuLaunch = "dispatch";     // how their kernels are launched: dispatch, persistent, auto
  std::string ptxas;                      // NVIDIA's assembler; empty: the one that is found
  std::string weights;                    // file for the weights; empty: in the object
  std::string depfile;                    // file for what the output depends on; empty: none
  bool weightsIfLarge = false;            // `weights` is for those alone that an object cannot hold
  std::optional<uint64_t> largestWeights; // bytes that an object holds; none: as many as it can
  std::string task;                       // key of the only task to show; empty: everything
  RecordsOptions records;                 // where schedules come from before the default ones
  std::string winograd = "auto";          // off, f2, f4, auto
  std::string weightsType = "as-is";      // bf16, int8, as-is
  EmitKind emit = EmitKind::Obj;
  llvm::StringMap<int64_t> sizes; // of symbolic dimensions
  InputForms forms;               // of inputs, beside their sizes
  ExternOperators externs;        // that functions of the program compute
  std::vector<std::string>
      externFiles; // with these functions: objects, archives and libraries that a library or program is linked with
  Budgets budgets;
  Plugins plugins;         // that add to the compiler
  int threads = 1;         // that the schedules are made for
  bool naive = false;      // the reference path: one task per operator, plain loops
  bool plainTasks = false; // the tasks of the optimised path as plain loops
  InnerOutputs inner = InnerOutputs::None;
  std::optional<unsigned> onlyInner; // one of them, by its number
  bool wide = false;                 // naive, and float64 in place of float32
  bool noLibc = false;               // fail where the object needs the C library
  bool timing = false;               // print a table of times per phase
  bool verbose = false;              // remarks, and what is done
  std::string remarks;               // decisions of the passes whose names this regular expression matches; empty: none
};

/// A prefix from a file name: "my-net.v2.onnx" -> "my_net_v2"; "model_" before what checkPrefix would refuse, as in
/// "2d.onnx" -> "model_2d".
std::string prefixFromPath(llvm::StringRef path);

/// An error unless `prefix` may begin the names of C functions: a C identifier, and not `cameo` or `cameo_`..., as the
/// runtime's names begin.
llvm::Error checkPrefix(llvm::StringRef prefix);

/// Of one of the names of gpuCodeName.
GpuCode gpuCodeOf(llvm::StringRef name);

/// Of one of those of gpuLaunch.
GpuLaunch gpuLaunchOf(llvm::StringRef name);

/// Of one of those of gpuMath.
GpuMath gpuMathOf(llvm::StringRef name);

/// The default of `output`: the model's stem with the extension of the kind, in the current directory; "-" for text.
std::string defaultOutput(llvm::StringRef model, EmitKind kind);

} // namespace cameo

#endif
