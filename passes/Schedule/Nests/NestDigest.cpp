// Hashes the text that print-nests shows, together with the buffers that it names.
#include "passes/Schedule/Nests/NestDigest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <set>

namespace cameo::schedule {

static std::string hashText(llvm::StringRef text) { return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text)); }

/// Returns the number of the kind of `buffer` in stored records: arguments, results, scratch memory, row buffers in any
/// space, tables.
static int kindOf(const Buffer &buffer) {
  return static_cast<int>(buffer.role) + ((buffer.isTemporary() && buffer.perRow) || buffer.isTable() ? 1 : 0);
}

/// Leaves out whether an argument is packable: that depends on the model, and the step that packs it is verified.
static void printBuffer(const TaskProgram &program, unsigned number, llvm::raw_ostream &os) {
  const Buffer &buffer = program.buffers[number];
  os << "buffer " << number << ' ' << kindOf(buffer) << ' ' << buffer.index << ' ' << buffer.elements << ' '
     << buffer.elementType << '\n';
}

static void printGroup(const NestGroup &group, llvm::raw_ostream &os) {
  os << "group " << group.rowDims << ' ' << group.continues << ' ' << group.sharesMatrix << ' ' << group.orderedDims
     << '\n';
}

NestDigest digestOf(const TaskProgram &program) {
  NestDigest digest;
  std::string all;
  llvm::raw_string_ostream whole(all);
  for (unsigned number = 0; number < program.buffers.size(); ++number)
    printBuffer(program, number, whole);
  for (const NestGroup &group : program.groups) {
    printGroup(group, whole);
    for (const LoopNest &nest : group.nests) {
      std::string text;
      llvm::raw_string_ostream own(text);
      print(program, nest, own);
      whole << text;
      std::set<unsigned> used;
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) { used.insert(buffer); });
      for (unsigned buffer : used)
        printBuffer(program, buffer, own);
      printGroup(group, own);
      digest.each.push_back(hashText(text));
    }
  }
  digest.all = hashText(all);
  if (digest.each.size() < 2 || digest.each.size() > mostDigests)
    digest.each.clear();
  return digest;
}

} // namespace cameo::schedule
