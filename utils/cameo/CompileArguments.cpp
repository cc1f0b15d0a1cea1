#include "utils/cameo/CompileArguments.h"

using namespace cameo;

void CompileArguments::declare(CommandLine &line) {
  line.positional(
      "MODEL.onnx",
      "The model: binary, or ONNX's text syntax (.onnxtxt). A file, since it is read in parts; a pipe is refused.",
      options.model);
  line.group("output");
  line.text("-o", "FILE",
            "What to write; '-' is standard output. Default: MODEL.o, MODEL.so or MODEL in the current directory; "
            "standard output for text.",
            options.output, Completes::File);
  line.text("--header", "FILE", "The C header that goes with the object. Default: the object's name with .h.",
            options.header, Completes::File);
  line.text("--cpp-header", "FILE",
            "Write a C++17 header over the C header, too, into FILE in the same folder: a class with spans, constants "
            "for shapes and types, and memory for runs.",
            options.cppHeader, Completes::File);
  line.choice("--emit",
              "Stop early, or go further: onnx (as imported), graph (simplified, layouts chosen), tasks (fused "
              "subgraphs), linalg (tasks lowered), loops (scheduled), llvm (LLVM IR), asm (assembly), obj (object and "
              "header), lib (shared library, which "
              "'cameo run' opens), exe (program that runs the model on random inputs). Default: obj.",
              allEmitNames(), emit);
  line.text("--task", "KEY",
            "Show only the task with this key, as 'cameo tasks' and 'cameo bench --profile' print it; with "
            "--emit=tasks, linalg, nests, loops, llvm or asm.",
            options.task);
  line.text("--prefix", "NAME",
            "Beginning of all symbols, a C identifier; not 'cameo', with which the runtime's begin. Models with "
            "different prefixes link into one program. "
            "Default: the model's file name.",
            options.prefix);
  line.text("--weights", "FILE",
            "Write the weights to FILE instead of the object; the program maps it with cameo_weights_map. "
            "Needed above 2 GiB.",
            options.weights, Completes::File);
  line.text("--depfile", "FILE",
            "Write what the output depends on (the model, its external data, the records) to FILE, as a rule of Make "
            "that Ninja and CMake read, too.",
            options.depfile, Completes::File);
  line.group("budgets");
  line.bytes("--max-arena",
             "The most memory that a run may need besides inputs, outputs and weights. Where it needs more, tasks are "
             "ordered and scheduled for less memory at the price of time (-v says "
             "how, and what that costs). Where that is not enough, nothing is written, and what lives at the peak is "
             "named. Bytes, or with K, M or G.",
             options.budgets.arena);
  line.bytes("--max-text",
             "The most that code and constants may take, without weights. Where they take more, loops run in blocks of "
             "fewer registers, which are less code, first where that costs the "
             "least time for a byte. Where that is not enough, nothing is written, and the largest tasks are named.",
             options.budgets.text);
  line.bytes(
      "--max-weights",
      "The most that weights may take, wherever they are. Where they take more, filters of convolutions are stored as "
      "the model has them instead of transformed, first where that "
      "costs the least time for a byte. Where that is not enough, nothing is written, and the largest are named.",
      options.budgets.weights);
  line.group("code");
  declareTarget(line, options, /*several=*/true);
  declareGpu(line, options);
  declareGpuLaunch(line, options);
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declarePlugins(line, options.plugins);
  declareExterns(line, options);
  line.integer("--threads", "N", "Threads that schedules are made for. The object runs on any number. Default: 1.",
               threads, 1, CAMEO_MAX_THREADS);
  records.declare(line);
  declareRounding(line, options);
  line.flag("--no-libc",
            "Fail, and write nothing, when the object needs more than memcpy, memmove, memset and memcmp: the nodes "
            "and the function are named. Such an object "
            "links with -nostdlib; of the runtime it takes one number.",
            options.noLibc);
  line.flag("--naive", "The reference path: one task per operator, plain loops.", options.naive);
  line.flag("--wide", "As --naive, with all numbers of float32 as float64: hardly rounds.", options.wide);
  line.group("messages");
  line.flag("--timing", "Print the time of each phase to standard error.", options.timing);
  line.flag("-v", "Say what is done, and print remarks.", options.verbose);
  line.text("--remarks", "REGEX",
            "Print what the passes whose names match decided about nodes, and what kept them from more: form-tasks "
            "(what is not fused, and why), choose-layout (what is transposed), "
            "schedule-tasks (convolutions by Winograd's method).",
            options.remarks);
}

CompileOptions CompileArguments::finish() const {
  CompileOptions result = options;
  result.emit = *parseEmit(emit);
  result.threads = static_cast<int>(threads);
  result.naive |= result.wide;
  result.records = records.get();
  return result;
}
