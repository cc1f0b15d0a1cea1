#include "dialects/Target/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <charconv>

using namespace llvm;

namespace cameo {
namespace {

constexpr MachineParameter parameters[] = {
    {"vector_bytes", "size of a vector register, in bytes", &Machine::vectorBytes, false, 16, 256},
    {"vector_registers", "number of vector registers", &Machine::vectorRegisters, false, 8, 64},
    {"l1_bytes", "size of the first-level data cache of a core, in bytes", &Machine::l1Bytes, true, 4096, 1 << 30},
    {"l1_ways", "lines that a set of that cache holds", &Machine::l1Ways, true, 1, 64},
    {"l2_bytes", "size of the second-level cache of a core, in bytes", &Machine::l2Bytes, true, 4096, 1 << 30},
    {"multiply_adds", "multiply-adds of whole vectors that a core begins in one cycle", &Machine::multiplyAdds, true,
     0.125, 64},
    {"near_bytes_per_cycle", "bytes that a core reads in one cycle from its second-level cache",
     &Machine::nearBytesPerCycle, true, 0.125, 4096},
    {"far_bytes_per_cycle", "bytes that a core reads in one cycle from beyond its second-level cache",
     &Machine::farBytesPerCycle, true, 0.125, 4096},
    {"memory_bytes_per_cycle", "bytes that a core reads in one cycle from memory", &Machine::memoryBytesPerCycle, true,
     0.125, 4096},
    {"share_cycles", "cycles of work from which on a core shares it with another one", &Machine::shareCycles, true, 0,
     1e9},
    {"cores", "cores that may share a run", &Machine::cores, true, 1, 4096},
    {"fma", "whether there is a fused multiply-add", &Machine::fusedMultiplyAdd, false},
    {"divides_fast", "whether a division of vectors takes no longer than an estimate", &Machine::dividesFast, true},
    {"float_extrema", "whether instructions for the larger of two floats pass NaN on", &Machine::floatExtrema, false},
    {"byte_products", "what multiplies groups of bytes: none, pairs, vnni, dotprod or i8mm", &Machine::byteProducts,
     false},
};

/// Indexed by ByteProducts.
constexpr StringLiteral byteProductNames[] = {"none", "pairs", "vnni", "dotprod", "i8mm"};

/// Returns null if there is no parameter of that name.
const MachineParameter *findParameter(StringRef name) {
  const MachineParameter *found = find_if(parameters, [&](const MachineParameter &each) { return each.name == name; });
  return found == std::end(parameters) ? nullptr : found;
}

Error expected(const MachineParameter &parameter, StringRef what, StringRef value) {
  return createStringError(formatv("{0}: expected {1}, got '{2}'", parameter.name, what, value).str());
}

/// Prints the fewest digits that parse as the same number.
template <typename Number> std::string shortest(Number value) {
  char text[32];
  return std::string(text, std::to_chars(std::begin(text), std::end(text), value).ptr);
}

Error outOfRange(const MachineParameter &parameter, StringRef value) {
  return expected(
      parameter, formatv("a number from {0} to {1}", shortest(parameter.least), shortest(parameter.most)).str(), value);
}

} // namespace

ArrayRef<MachineParameter> machineParameters() { return parameters; }

hash_code hash_value(const Machine &machine) {
  return hash_combine(machine.vectorBytes, machine.vectorRegisters, machine.l1Bytes, machine.l1Ways, machine.l2Bytes,
                      bit_cast<uint64_t>(machine.multiplyAdds), bit_cast<uint64_t>(machine.nearBytesPerCycle),
                      bit_cast<uint64_t>(machine.farBytesPerCycle), bit_cast<uint64_t>(machine.memoryBytesPerCycle),
                      bit_cast<uint64_t>(machine.shareCycles), machine.cores, machine.fusedMultiplyAdd,
                      machine.dividesFast, machine.floatExtrema, machine.byteProducts);
}

std::string printParameter(const Machine &machine, const MachineParameter &parameter) {
  return std::visit(
      [&](auto member) -> std::string {
        auto value = machine.*member;
        if constexpr (std::is_same_v<decltype(value), bool>)
          return value ? "true" : "false";
        else if constexpr (std::is_same_v<decltype(value), ByteProducts>)
          return byteProductNames[static_cast<size_t>(value)].str();
        else
          return shortest(value);
      },
      parameter.member);
}

Error setParameter(Machine &machine, StringRef name, StringRef value) {
  const MachineParameter *parameter = findParameter(name);
  if (!parameter) {
    std::string names = join(map_range(parameters, [](const MachineParameter &each) { return each.name.str(); }), ", ");
    return createStringError(formatv("unknown parameter '{0}' of a machine: expected one of {1}", name, names).str());
  }
  return std::visit(
      [&](auto member) -> Error {
        auto &place = machine.*member;
        using Type = std::remove_reference_t<decltype(place)>;
        if constexpr (std::is_same_v<Type, bool>) {
          if (value != "true" && value != "false")
            return expected(*parameter, "true or false", value);
          place = value == "true";
        } else if constexpr (std::is_same_v<Type, ByteProducts>) {
          const StringLiteral *found = find(byteProductNames, value);
          if (found == std::end(byteProductNames))
            return expected(*parameter, "none, pairs, vnni, dotprod or i8mm", value);
          place = static_cast<ByteProducts>(found - byteProductNames);
        } else if constexpr (std::is_same_v<Type, double>) {
          double number = 0;
          if (value.getAsDouble(number) || !(number >= parameter->least && number <= parameter->most))
            return outOfRange(*parameter, value);
          place = number;
        } else {
          StringRef digits = value;
          int64_t unit = digits.consume_back("K") ? 1 << 10 : digits.consume_back("M") ? 1 << 20 : 1, number = 0;
          bool isNumber = !digits.getAsInteger(10, number);
          // Computed in double, which represents all products that are in range.
          double product = static_cast<double>(number) * static_cast<double>(unit);
          if (!isNumber || product < parameter->least || product > parameter->most)
            return outOfRange(*parameter, value);
          place = number * unit;
        }
        return Error::success();
      },
      parameter->member);
}

Error setParameters(Machine &machine, StringRef text) {
  SmallVector<StringRef> pairs;
  text.split(pairs, ',');
  for (StringRef pair : pairs) {
    auto [name, value] = pair.split('=');
    if (const MachineParameter *parameter = findParameter(name); parameter && !parameter->isSettable)
      return createStringError(formatv("{0}: expected a cache size, a rate or a number of cores, got a parameter that "
                                       "follows from the processor",
                                       name)
                                   .str());
    if (Error error = setParameter(machine, name, value))
      return error;
  }
  return Error::success();
}

} // namespace cameo
