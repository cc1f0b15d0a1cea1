// The properties of a processor core that schedules and kernels depend on.
#ifndef CAMEO_DIALECTS_TARGET_MACHINE_H
#define CAMEO_DIALECTS_TARGET_MACHINE_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <variant>

namespace cameo {

/// Instructions that multiply bytes and add groups of four products to 32 bits, without saturation.
enum class ByteProducts {
  None,             ///< plain multiplications
  Pairs,            ///< x86: vpmaddwd, on pairs of 16 bits
  UnsignedBySigned, ///< x86 with VNNI: vpdpbusd; Pairs for other signs
  SameSign,         ///< AArch64 with dot products: sdot and udot
  AnySigns          ///< AArch64 with i8mm: usdot as well
};

/// The properties of a core that rules, the verifier of schedules, emission and the features of the cost model read.
/// The defaults are those of a core with AVX2.
struct Machine {
  int64_t vectorBytes = 32;       ///< of one vector register
  int64_t vectorRegisters = 16;   ///< number of vector registers
  int64_t l1Bytes = 32 << 10;     ///< first-level data cache of one core; 32 KiB if unknown
  int64_t l1Ways = 8;             ///< associativity of the first-level data cache
  int64_t l2Bytes = 1 << 20;      ///< second-level cache of one core; 1 MiB if unknown
  double multiplyAdds = 2;        ///< vector multiply-adds that a core starts per cycle
  double nearBytesPerCycle = 24;  ///< bandwidth of the second-level cache of a core
  double farBytesPerCycle = 4;    ///< bandwidth of the cache after the second level
  double memoryBytesPerCycle = 4; ///< bandwidth of memory
  double shareCycles = 5000;      ///< fewest cycles of work worth a second core: starting and joining takes as long
  int64_t cores = 8;              ///< cores that share a run; 8 if unknown
  bool fusedMultiplyAdd = true;
  bool dividesFast = false;  ///< a vector division takes no longer than a reciprocal estimate with its Newton steps
  bool floatExtrema = false; ///< minimum and maximum of floats are instructions that return NaN if an operand is NaN
  ByteProducts byteProducts = ByteProducts::None;

  /// Returns the largest size of an operand that stays in the second-level cache while the others are streamed.
  int64_t residentBytes() const { return l2Bytes / 4; }
  /// Returns the size that fits into the second-level cache at all. Its sets fill unevenly, because pages are placed
  /// anywhere in memory.
  int64_t roomBytes() const { return l2Bytes / 8 * 5; }
  /// Returns the number of parts of a parallel range that lets all cores finish at about the same time.
  int64_t enoughPieces() const { return 2 * cores; }
  /// Returns the distance of addresses that map to the same set of the first-level cache.
  int64_t l1WayBytes() const { return l1Bytes / l1Ways; }

  bool operator==(const Machine &other) const = default;
};

llvm::hash_code hash_value(const Machine &machine);

/// A property of a Machine, with its name in IR, on command lines and in files.
struct MachineParameter {
  llvm::StringLiteral name;
  llvm::StringLiteral description; ///< a phrase, with the unit
  std::variant<int64_t Machine::*, double Machine::*, bool Machine::*, ByteProducts Machine::*> member;
  /// Whether a user may set it: it affects the speed of the code, but never which instructions it has.
  bool isSettable;
  double least = 0, most = 0; ///< range of a number
};

/// Returns all parameters, in the order in which they are printed.
llvm::ArrayRef<MachineParameter> machineParameters();

/// Prints the value as `setParameter` parses it: a number, true or false, or the name of byte products.
std::string printParameter(const Machine &machine, const MachineParameter &parameter);

/// Sets the parameter of that name. The error lists the names, or says what is expected of the value. Integers may end
/// in K or M, for 1024 and 1024 * 1024.
llvm::Error setParameter(Machine &machine, llvm::StringRef name, llvm::StringRef value);

/// Sets the parameters in KEY=VALUE,..., which a user may set. Fails as setParameter does.
llvm::Error setParameters(Machine &machine, llvm::StringRef text);

} // namespace cameo

#endif
