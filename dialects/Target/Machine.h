// What schedules and kernels must know of a processor core.
#ifndef CAMEO_DIALECTS_TARGET_MACHINE_H
#define CAMEO_DIALECTS_TARGET_MACHINE_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <variant>

namespace cameo {

/// What multiplies bytes and adds groups of four products to 32 bits exactly, nothing saturated.
enum class ByteProducts {
  None,             ///< plain multiplications
  Pairs,            ///< x86: vpmaddwd, on pairs of 16 bits
  UnsignedBySigned, ///< x86 with VNNI: vpdpbusd; Pairs for other signs
  SameSign,         ///< AArch64 with dot products: sdot and udot
  AnySigns          ///< AArch64 with i8mm: usdot as well
};

/// The numbers of a core that rules, the verifier of schedules, emission and the features of a search read. The
/// defaults are those of a core with AVX2.
struct Machine {
  int64_t vectorBytes = 32;       ///< of one vector register
  int64_t vectorRegisters = 16;   ///< number of vector registers
  int64_t l1Bytes = 32 << 10;     ///< first-level data cache of one core; 32 KiB where it is not known
  int64_t l1Ways = 8;             ///< lines that a set of it holds
  int64_t l2Bytes = 1 << 20;      ///< second-level cache of one core; 1 MiB where it is not known
  double multiplyAdds = 2;        ///< of whole vectors that a core begins in one cycle
  double nearBytesPerCycle = 24;  ///< what a core reads from its second-level cache
  double farBytesPerCycle = 4;    ///< from the cache beyond its second level
  double memoryBytesPerCycle = 4; ///< from memory
  double shareCycles = 5000; ///< work of one core from which on another one may have a part of it: to begin and to wait
                             ///< takes as long otherwise
  int64_t cores = 8;         ///< that may share a run; 8 where it is not known
  bool fusedMultiplyAdd = true;
  bool dividesFast =
      false; ///< a division of vectors takes no longer than an estimate of it with what is computed beside
  bool floatExtrema = false; ///< the larger and the smaller of two floats are instructions that pass NaN on
  ByteProducts byteProducts = ByteProducts::None;

  /// How large an operand may be to stay in the second-level cache while the others are run through.
  int64_t residentBytes() const { return l2Bytes / 4; }
  /// What stays in the second-level cache at all: its sets fill unevenly, since pages lie anywhere in memory.
  int64_t roomBytes() const { return l2Bytes / 8 * 5; }
  /// Pieces of a parallel range that let all cores finish together.
  int64_t enoughPieces() const { return 2 * cores; }
  /// Addresses that lie so far apart meet in one set of the first-level cache.
  int64_t l1WayBytes() const { return l1Bytes / l1Ways; }

  bool operator==(const Machine &other) const = default;
};

llvm::hash_code hash_value(const Machine &machine);

/// One number of a Machine, by the name that IR, command lines and files give it.
struct MachineParameter {
  llvm::StringLiteral name;
  llvm::StringLiteral description; ///< a phrase, with the unit
  std::variant<int64_t Machine::*, double Machine::*, bool Machine::*, ByteProducts Machine::*> member;
  /// Whether a user may state it: it decides how fast code is, and never which instructions it has.
  bool isSettable;
  double least = 0, most = 0; ///< of a number
};

/// All of them, in the order in which they are printed.
llvm::ArrayRef<MachineParameter> machineParameters();

/// The value as `setParameter` reads it: a number, true or false, or the name of byte products.
std::string printParameter(const Machine &machine, const MachineParameter &parameter);

/// Sets the parameter of that name. An error says which names there are, or what is expected of the value: whole
/// numbers may end in K or M, for 1024 of bytes and 1024 of those.
llvm::Error setParameter(Machine &machine, llvm::StringRef name, llvm::StringRef value);

/// Sets what KEY=VALUE,... says, of parameters that a user may state. Errors are as of setParameter.
llvm::Error setParameters(Machine &machine, llvm::StringRef text);

} // namespace cameo

#endif
