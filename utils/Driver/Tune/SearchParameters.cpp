#include "utils/Driver/Tune/SearchParameters.h"

#include "autotune/Mutate/Mutator.h"
#include "dialects/Files/RegularFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <variant>

using namespace cameo;
using namespace cameo::autotune;
using llvm::Error;
using llvm::StringRef;

namespace {

/// A field of SearchOptions or TaskSchedulerOptions. Unsigned fields take whole numbers.
using Field = std::variant<unsigned SearchOptions::*, double SearchOptions::*, unsigned TaskSchedulerOptions::*,
                           double TaskSchedulerOptions::*>;

struct SearchParameter {
  StringRef name, help;
  double low, high;
  Field field;

  bool isWhole() const { return field.index() % 2 == 0; }
  double get(const TuneOptions &options) const;
  void set(TuneOptions &options, double value) const;
};

} // namespace

static const SearchParameter parameters[] = {
    {"population", "states that evolution holds", 8, 1 << 20, &SearchOptions::population},
    {"generations", "of evolution for each proposal", 0, 1 << 16, &SearchOptions::generations},
    {"mutation", "chance that a child is changed", 0, 1, &SearchOptions::mutationProbability},
    {"crossover", "chance that it has two parents", 0, 1, &SearchOptions::crossoverProbability},
    {"epsilon", "part of each proposal that is drawn at random", 0, 1, &SearchOptions::epsilon},
    {"walkers", "of annealing", 1, 1 << 16, &SearchOptions::walkers},
    {"steps", "of each walker for each proposal", 1, 1 << 20, &SearchOptions::annealingSteps},
    {"patience", "of these, steps without a better state after which annealing ends", 1, 1 << 20,
     &SearchOptions::annealingPatience},
    {"parents", "fastest configurations that the genetic search breeds from", 2, 1 << 20, &SearchOptions::parents},
    {"genes", "chance that a child of it has another value of a knob", 0, 1, &SearchOptions::geneMutation},
    {"alpha", "weight of the past where tasks are compared", 0, 1, &TaskSchedulerOptions::alpha},
    {"beta", "how much slower than a similar task one may be", 1, 1e6, &TaskSchedulerOptions::beta},
    {"window", "rounds that the past goes back", 1, 1 << 16, &TaskSchedulerOptions::window},
};

static auto &owner(auto &options, const SearchOptions *) { return options.search; }
static auto &owner(auto &options, const TaskSchedulerOptions *) { return options.session.scheduler; }

double SearchParameter::get(const TuneOptions &options) const {
  return std::visit(
      [&]<typename Owner, typename Value>(Value Owner::*member) {
        return static_cast<double>(owner(options, static_cast<Owner *>(nullptr)).*member);
      },
      field);
}

void SearchParameter::set(TuneOptions &options, double value) const {
  std::visit(
      [&]<typename Owner, typename Value>(Value Owner::*member) {
        owner(options, static_cast<Owner *>(nullptr)).*member = static_cast<Value>(value);
      },
      field);
}

static constexpr StringRef structureName = "structure", mutatePrefix = "mutate.";

std::string cameo::explainSearchParameters() {
  std::string text = "structure, levels of tiles over parallel dimensions (S) and reductions (R), the last of both "
                     "being the register block (SSRSRS)";
  for (const SearchParameter &parameter : parameters)
    text += llvm::formatv("; {0}, {1} ({2})", parameter.name, parameter.help,
                          llvm::format("%g", parameter.get(TuneOptions())))
                .str();
  text += "; mutate.NAME, how often evolution makes a change of this kind, relative to others:";
  for (auto [number, mutator] : llvm::enumerate(mutators()))
    text +=
        llvm::formatv("{0} {1} ({2})", number > 0 ? "," : "", mutator->name(), llvm::format("%g", mutator->weight()));
  return text;
}

static Error setOne(StringRef key, StringRef value, TuneOptions &options) {
  auto expected = [key = key, value = value](const llvm::Twine &what) {
    return llvm::createStringError("'" + key + "': expected " + what + ", got '" + value + "'");
  };
  double number = 0;
  bool isNumber = !value.getAsDouble(number) && std::isfinite(number);
  if (key == structureName) {
    if (!isTileStructure(value))
      return expected("a tile structure of the letters S and R that begins with S and has at least two S and one R");
    options.search.structure = value.str();
    return Error::success();
  }
  if (StringRef kind = key; kind.consume_front(mutatePrefix)) {
    auto found = llvm::find_if(mutators(), [kind = kind](const Mutator *mutator) { return mutator->name() == kind; });
    if (found == mutators().end())
      return llvm::createStringError(
          "'" + key + "' is not a kind of change: expected one of " +
          llvm::join(llvm::map_range(mutators(), [](const Mutator *each) { return each->name(); }), ", "));
    constexpr double most = 1e6;
    if (!isNumber || number < 0 || number > most)
      return expected("a number from 0 to 1000000");
    options.search.mutationWeights[kind] = number;
    return Error::success();
  }
  auto parameter = llvm::find_if(parameters, [key = key](const SearchParameter &each) { return each.name == key; });
  if (parameter == std::end(parameters))
    return llvm::createStringError("unknown key '" + key + "'; 'cameo tune --help' lists all");
  if (!isNumber || number < parameter->low || number > parameter->high ||
      (parameter->isWhole() && number != std::floor(number)))
    return expected(llvm::formatv("a {0}number from {1:F0} to {2:F0}", parameter->isWhole() ? "whole " : "",
                                  parameter->low, parameter->high)
                        .str());
  parameter->set(options, number);
  return Error::success();
}

static Error setPair(StringRef text, TuneOptions &options) {
  auto [key, value] = text.split('=');
  if (key.size() == text.size())
    return llvm::createStringError("expected KEY=VALUE, got '" + text + "'");
  return setOne(key.trim(), value.trim(), options);
}

/// Fails if no kind of mutation can be drawn.
static Error checkWeights(const TuneOptions &options) {
  std::vector<double> weights = mutationWeights(options.search.mutationWeights);
  bool someRemain = llvm::any_of(weights, [](double weight) { return weight > 0; });
  return someRemain ? Error::success() : llvm::createStringError("expected a kind of change with a weight above 0");
}

Error cameo::setSearchParameters(StringRef text, TuneOptions &options) {
  if (text.contains('=')) {
    for (StringRef pair : llvm::split(text, ','))
      if (Error error = setPair(pair, options))
        return error;
    return checkWeights(options);
  }
  constexpr uint64_t largestFile = 64 << 10;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readRegularFile(text, largestFile);
  if (!file)
    return file.takeError();
  unsigned number = 0;
  for (StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    ++number;
    StringRef pair = line.split('#').first.trim();
    if (Error error = pair.empty() ? Error::success() : setPair(pair, options))
      return llvm::createStringError(text + ":" + llvm::Twine(number) + ": " + llvm::toString(std::move(error)));
  }
  return checkWeights(options);
}
