// The options of the compiler; one struct for all tools.
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

/// The form of the output: the IR after a phase, or a form of the result.
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

/// Whether the form is text, which goes to standard output unless a file is named.
inline bool isString(EmitKind kind) { return kind <= EmitKind::Asm; }

/// How to treat a task without a record that tuning could have found: Locked fails the compilation, Warn warns, Silent
/// ignores it, Off does not read records. Borders only takes the splits and merges of tasks from the records, and no
/// schedules.
enum class RecordsPolicy { Locked, Warn, Silent, Off, Borders };

/// A task that is split in two after an operation of its body.
struct TaskSplit {
  std::string task; ///< its key
  unsigned number;  ///< number of the operation
};

/// Two tasks that are merged, where the second one reads a result of the first one.
struct TaskMerge {
  std::string task, with; ///< keys of both
  unsigned operand;       ///< operand of the second task
};

struct RecordsOptions {
  std::string file; ///< empty: none
  RecordsPolicy policy = RecordsPolicy::Warn;
  bool withVariants = true; ///< compile variants for the ranges of sizes in records
  // In addition to those of the file:
  std::vector<TaskSplit> splits;
  std::vector<TaskMerge> merges; ///< applied in this order
};

/// The outputs of a compilation in memory, for a caller that needs no files.
struct MemoryOutputs {
  llvm::SmallVector<char, 0> output, header, weights;
};

/// Limits of the result in bytes; nothing: no limit.
struct Budgets {
  std::optional<int64_t> arena, text, weights;
  bool isEmpty() const { return !arena && !text && !weights; }
};

/// Intermediate results that become outputs after those of the model: results of all tasks, or of all nodes as
/// imported.
enum class InnerOutputs { None, Tasks, Nodes };

struct CompileOptions {
  std::string model;                         // path of the ONNX file
  std::optional<llvm::StringRef> modelBytes; // contents of the model; `model` is then its name in messages, and its
                                             // folder holds external data
  MemoryOutputs *memory = nullptr;           // receives the outputs instead of files
  const std::atomic<bool> *isCancelled = nullptr; // checked before each pass
  std::string output;                             // path, "-", or empty for the default
  std::string header;                             // path; empty: beside the object
  std::string cppHeader;                          // path of a C++ header over that; empty: none
  std::string prefix;                             // prefix of all symbols; empty: from the file's name
  std::string target;                             // triple; empty: the host
  std::string cpu;                                // empty: the host's, or the target's baseline
  std::string machine;                    // properties of the machine, see describeMachine; empty: those of a table
  std::string gpu;                        // GPUs that kernels run on, separated by commas; empty: the CPU
  std::string gpuMath = "f32";            // precision of float32 products on the GPU, see GpuMachine.h
  std::string gpuCodeName = "auto";       // form of GPU code: auto, ptx, binary, host
  std::string gpuLaunch = "dispatch";     // how GPU kernels are launched: dispatch, persistent, auto
  std::string gpuDependentLaunch = "on";  // whether launches may begin before earlier ones have ended: on, off
  std::string ptxas;                      // path of NVIDIA's assembler; empty: search for it
  std::string weights;                    // file for the weights; empty: in the object
  std::string depfile;                    // dependency file of the output; empty: none
  bool weightsIfLarge = false;            // `weights` is only used if the object cannot hold the weights
  std::optional<uint64_t> largestWeights; // limit in bytes for weights in the object; nothing: as many as it can hold
  std::string task;                       // key of the only task to show; empty: everything
  RecordsOptions records;                 // records with schedules, which replace the default ones
  std::string winograd = "auto";          // off, f2, f4, auto
  std::string weightsType = "as-is";      // bf16, int8, as-is
  EmitKind emit = EmitKind::Obj;
  llvm::StringMap<int64_t> sizes; // values of symbolic dimensions
  InputForms forms;               // forms of inputs other than sizes
  ExternOperators externs;        // operators that functions of the program compute
  std::vector<std::string>
      externFiles; // objects, archives and libraries with these functions, which a library or program is linked with
  Budgets budgets;
  Plugins plugins;         // plugins of the compiler
  int threads = 1;         // number of threads that the schedules are for
  bool naive = false;      // the reference path: one task per operator, plain loops
  bool plainTasks = false; // compile the tasks of the optimised path to plain loops
  InnerOutputs inner = InnerOutputs::None;
  std::optional<unsigned> onlyInner; // only the one with this number
  bool wide = false;                 // naive path, with float64 instead of float32
  bool noLibc = false;               // fail if the object needs the C library
  bool timing = false;               // print a table of times per phase
  bool verbose = false;              // print remarks and progress
  std::string remarks;               // print the remarks of passes whose names match this regular expression; empty:
                                     // none
};

/// Returns a prefix made from a file name: "my-net.v2.onnx" -> "my_net_v2". If checkPrefix would reject it, "model_" is
/// put before it, as in "2d.onnx" -> "model_2d".
std::string prefixFromPath(llvm::StringRef path);

/// Fails unless `prefix` can be the prefix of C functions: a C identifier other than `cameo` and `cameo_`..., because
/// those are the names of the runtime.
llvm::Error checkPrefix(llvm::StringRef prefix);

/// Parses a valid value of gpuCodeName.
GpuCode gpuCodeOf(llvm::StringRef name);

/// Parses a valid value of gpuLaunch.
GpuLaunch gpuLaunchOf(llvm::StringRef name);

/// Parses a valid value of gpuMath.
GpuMath gpuMathOf(llvm::StringRef name);

/// Returns the default of `output`: the model's stem with the extension of the kind, in the current directory; "-" for
/// text.
std::string defaultOutput(llvm::StringRef model, EmitKind kind);

} // namespace cameo

#endif
