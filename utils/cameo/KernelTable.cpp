#include "utils/cameo/KernelTable.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;
namespace json = llvm::json;

/// Returns the number, or "?" if the sizes of a run decide it.
template <typename Number> static std::string textOf(std::optional<Number> number) {
  return number ? llvm::formatv("{0:F0}", static_cast<double>(*number)).str() : "?";
}

template <typename Number> static json::Value jsonOf(std::optional<Number> number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

/// Adds up a number of each piece, times its blocks.
static std::optional<double> sumOf(const KernelSummary &kernel, std::optional<double> KernelPiece::*number) {
  double sum = 0;
  for (const KernelPiece &piece : kernel.pieces) {
    if (!piece.blocks || !(piece.*number))
      return std::nullopt;
    sum += static_cast<double>(*piece.blocks) * *(piece.*number);
  }
  return sum;
}

static std::optional<int64_t> blocksOf(const KernelSummary &kernel) {
  int64_t sum = 0;
  for (const KernelPiece &piece : kernel.pieces) {
    if (!piece.blocks)
      return std::nullopt;
    sum += *piece.blocks;
  }
  return sum;
}

void cameo::printKernels(llvm::raw_ostream &out, const KernelList &list) {
  PrintableStream os(out);
  os << llvm::formatv("{0,8}{1,8}{2,10}{3,16}{4,14}{5,14}  kernel\n", "launches", "blocks", "threads", "multiply-adds",
                      "bytes read", "written");
  for (const KernelSummary &kernel : list.kernels)
    os << llvm::formatv("{0,8}{1,8}{2,10}{3,16}{4,14}{5,14}  ", kernel.launches, textOf(blocksOf(kernel)),
                        kernel.threads, textOf(sumOf(kernel, &KernelPiece::multiplyAdds)), textOf(kernel.readBytes),
                        textOf(kernel.writtenBytes))
       << printable(kernel.name) << '\n';
}

static json::Object toJson(const KernelSummary &kernel) {
  json::Array pieces;
  for (const KernelPiece &piece : kernel.pieces)
    pieces.push_back(json::Object{{"blocks", jsonOf(piece.blocks)},
                                  {"multiply_adds", jsonOf(piece.multiplyAdds)},
                                  {"accessed_bytes", jsonOf(piece.accessedBytes)},
                                  {"parts", piece.parts}});
  return json::Object{{"name", kernel.name},
                      {"task", kernel.task},
                      {"launches", kernel.launches},
                      {"threads", kernel.threads},
                      {"cluster", kernel.cluster},
                      {"dynamic_shared_bytes", kernel.dynamicBytes},
                      {"pieces", std::move(pieces)},
                      {"read_bytes", jsonOf(kernel.readBytes)},
                      {"written_bytes", jsonOf(kernel.writtenBytes)},
                      {"weight_bytes", kernel.weightBytes}};
}

void cameo::printKernelsAsJson(llvm::raw_ostream &os, const KernelList &list) {
  const GpuMachine &gpu = *list.gpu;
  json::Array kernels;
  for (const KernelSummary &kernel : list.kernels)
    kernels.push_back(toJson(kernel));
  json::Object machine{{"name", gpu.name},
                       {"architecture", gpu.architecture},
                       {"processors", gpu.processors},
                       {"shared_bytes", gpu.sharedBytes},
                       {"registers", gpu.registers},
                       {"l2_bytes", gpu.l2Bytes},
                       {"megahertz", gpu.megahertz},
                       {"memory_gigabytes", gpu.memoryGigabytes},
                       {"thread_products", gpu.threadProducts},
                       {"matrix_products", gpu.matrixProducts}};
  os << llvm::formatv(
      "{0:2}\n",
      json::Value(json::Object{{"gpu", std::move(machine)}, {"kernels", std::move(kernels)}, {"copies", list.copies}}));
}
