#include "utils/cameo/CommandLine/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

// ---- declaration ----

void CommandLine::positional(std::string name, std::string help, std::string &target, std::vector<std::string> words) {
  positionalEntries.push_back({std::move(name), std::move(help), &target, std::move(words)});
}

void CommandLine::positionals(std::string name, std::string help, std::vector<std::string> &targets) {
  positionalEntries.push_back({std::move(name), std::move(help), nullptr, {}, &targets});
}

void CommandLine::group(std::string title) { groups.push_back({std::move(title), options.size()}); }

OptionEntry &CommandLine::add(std::string name, std::string valueName, std::string help) {
  options.push_back({std::move(name), std::move(valueName), std::move(help), nullptr});
  return options.back();
}

void CommandLine::flag(std::string name, std::string help, bool &target) {
  add(std::move(name), "", std::move(help)).apply = [&target](StringRef) {
    target = true;
    return llvm::Error::success();
  };
}

void CommandLine::text(std::string name, std::string valueName, std::string help, std::string &target,
                       Completes completes) {
  OptionEntry &option = add(std::move(name), std::move(valueName), std::move(help));
  option.completes = completes;
  option.apply = [&target](StringRef value) {
    target = value.str();
    return llvm::Error::success();
  };
}

void CommandLine::names(std::string name, std::string valueName, std::string help, std::vector<std::string> &target) {
  add(std::move(name), std::move(valueName), std::move(help)).apply = [&target](StringRef value) {
    llvm::SmallVector<StringRef> parts;
    value.split(parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      target.push_back(part.str());
    return llvm::Error::success();
  };
}

void CommandLine::integer(std::string name, std::string valueName, std::string help, int64_t &target, int64_t low,
                          int64_t high) {
  add(std::move(name), std::move(valueName), std::move(help)).apply = [&target, low,
                                                                       high](StringRef value) -> llvm::Error {
    int64_t number = 0;
    if (value.getAsInteger(10, number) || number < low || number > high)
      return llvm::createStringError("expected a whole number from " + llvm::Twine(low) + " to " + llvm::Twine(high) +
                                     ", got '" + value + "'");
    target = number;
    return llvm::Error::success();
  };
}

void CommandLine::number(std::string name, std::string valueName, std::string help, std::optional<double> &target) {
  add(std::move(name), std::move(valueName), std::move(help)).apply = [&target](StringRef value) -> llvm::Error {
    double number = 0;
    if (value.getAsDouble(number) || !(number >= 0))
      return llvm::createStringError("expected a number that is not negative, got '" + value + "'");
    target = number;
    return llvm::Error::success();
  };
}

void CommandLine::bytes(std::string name, std::string help, std::optional<int64_t> &target) {
  add(std::move(name), "SIZE", std::move(help)).apply = [&target](StringRef value) -> llvm::Error {
    static constexpr StringRef suffixes = "KMG";
    StringRef digits = value;
    size_t suffix = value.empty() ? StringRef::npos : suffixes.find(llvm::toUpper(value.back()));
    unsigned shift = 0;
    if (suffix != StringRef::npos) {
      shift = 10 * (suffix + 1);
      digits = value.drop_back();
    }
    int64_t number = 0;
    if (digits.getAsInteger(10, number) || number <= 0 || number > INT64_MAX >> shift)
      return llvm::createStringError("expected a size such as 512K, 2M or 1G, got '" + value + "'");
    target = number << shift;
    return llvm::Error::success();
  };
}

void CommandLine::choice(std::string name, std::string help, std::vector<std::string> words, std::string &target) {
  OptionEntry &option = add(std::move(name), llvm::join(words, "|"), std::move(help));
  option.completes = Completes::Words;
  option.words = std::move(words);
  option.apply = [&target](StringRef value) {
    target = value.str();
    return llvm::Error::success();
  };
}

void CommandLine::choices(std::string name, std::string help, std::vector<std::string> words, std::string &target) {
  choice(std::move(name), std::move(help), std::move(words), target);
  options.back().isList = true;
  options.back().valueName += "[,...]";
}

void CommandLine::repeated(std::string name, std::string valueName, std::string help,
                           std::function<llvm::Error(StringRef)> apply, Completes completes) {
  OptionEntry &option = add(std::move(name), std::move(valueName), std::move(help));
  option.apply = std::move(apply);
  option.completes = completes;
}

void CommandLine::repeatedOptional(std::string name, std::string valueName, std::string help,
                                   std::function<llvm::Error(StringRef)> apply) {
  OptionEntry &option = add(std::move(name), std::move(valueName), std::move(help));
  option.apply = std::move(apply);
  option.isValueOptional = true;
}

void CommandLine::example(std::string command, std::string meaning) {
  examples.push_back({std::move(command), std::move(meaning)});
}

// ---- parsing ----

static llvm::SmallVector<StringRef> toRefs(llvm::ArrayRef<std::string> words) {
  return llvm::map_to_vector(words, [](const std::string &word) { return StringRef(word); });
}

llvm::Error CommandLine::applyValue(const OptionEntry &option, StringRef value) {
  llvm::SmallVector<StringRef> words = {value};
  if (option.isList) {
    words.clear();
    value.split(words, ',');
  }
  for (StringRef word : words)
    if (!option.words.empty() && !llvm::is_contained(option.words, word))
      return llvm::createStringError(option.name + ": expected one of " + llvm::join(option.words, ", ") + ", got '" +
                                     word + "'" + suggestion(word, toRefs(option.words)));
  if (llvm::Error error = option.apply(value))
    return llvm::createStringError(option.name + ": " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// Parses one option: `--name`, `--name value`, `--name=value`, `-o value`. Takes its value from `rest` if needed.
llvm::Error CommandLine::parseOption(StringRef argument, llvm::ArrayRef<const char *> &rest) {
  auto [name, value] = argument.split('=');
  bool hasValue = name.size() < argument.size();
  auto option = llvm::find_if(options, [name = name](const OptionEntry &each) { return each.name == name; });
  if (option == options.end()) {
    llvm::SmallVector<StringRef> names =
        llvm::map_to_vector(options, [](const OptionEntry &each) { return StringRef(each.name); });
    if (name != "--help")
      names.push_back("--help");
    return llvm::createStringError("unknown option '" + name + "'" + suggestion(name, names) + "; see 'cameo " +
                                   this->name + " --help'");
  }
  if (option->valueName.empty()) {
    if (hasValue)
      return llvm::createStringError(name + ": expected no value, got '" + value + "'");
    given.push_back({option->name, ""});
    return option->apply("");
  }
  if (hasValue && value.empty())
    return llvm::createStringError(name + ": expected a value after '=', " + option->valueName);
  if (!hasValue && !option->isValueOptional) {
    if (rest.empty())
      return llvm::createStringError(name + ": expected a value, " + option->valueName);
    value = rest.front();
    rest = rest.drop_front();
    // An empty value probably comes from an unset shell variable. The default would not be what the user meant.
    if (value.empty())
      return llvm::createStringError(name + ": expected a value, " + option->valueName + ", got ''");
  }
  given.push_back({option->name, value.str()});
  return applyValue(*option, value);
}

llvm::Error CommandLine::takePositional(StringRef argument) {
  if (givenPositionals > 0 && positionalEntries[givenPositionals - 1].rest) {
    positionalEntries[givenPositionals - 1].rest->push_back(argument.str());
    return llvm::Error::success();
  }
  if (givenPositionals == positionalEntries.size())
    return llvm::createStringError("unexpected argument '" + argument + "'; see 'cameo " + name + " --help'");
  const PositionalEntry &entry = positionalEntries[givenPositionals++];
  if (!entry.words.empty() && !llvm::is_contained(entry.words, argument))
    return llvm::createStringError("expected " + llvm::join(entry.words, " or ") + ", got '" + argument + "'");
  entry.rest ? entry.rest->push_back(argument.str()) : (void)(*entry.target = argument.str());
  return llvm::Error::success();
}

llvm::Error CommandLine::add(StringRef argument) {
  llvm::ArrayRef<const char *> rest;
  return argument.size() > 1 && argument.starts_with("-") ? parseOption(argument, rest) : takePositional(argument);
}

llvm::Error CommandLine::parse(llvm::ArrayRef<const char *> arguments) {
  bool onlyPositionals = false;
  while (!arguments.empty()) {
    StringRef argument = arguments.front();
    arguments = arguments.drop_front();
    if (!onlyPositionals && argument == "--") {
      onlyPositionals = true;
      continue;
    }
    if (!onlyPositionals && (argument == "--help" || argument == "-h")) {
      isHelpRequested = true;
      return llvm::Error::success();
    }
    bool isOption = !onlyPositionals && argument.size() > 1 && argument.starts_with("-");
    if (llvm::Error error = isOption ? parseOption(argument, arguments) : takePositional(argument))
      return error;
  }
  if (givenPositionals < positionalEntries.size() &&
      !StringRef(positionalEntries[givenPositionals].name).starts_with("["))
    return llvm::createStringError("expected " + positionalEntries[givenPositionals].name + "; see 'cameo " + name +
                                   " --help'");
  return llvm::Error::success();
}

// ---- suggestions ----

std::optional<StringRef> cameo::nearest(StringRef word, llvm::ArrayRef<StringRef> candidates) {
  std::optional<StringRef> best;
  unsigned bestDistance = std::max<size_t>(2, word.size() / 3) + 1;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    // A prefix of a word is as likely as a typing error.
    if (word.size() > 3 && candidate.starts_with(word))
      distance = 1;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string cameo::suggestion(StringRef word, llvm::ArrayRef<StringRef> candidates) {
  std::optional<StringRef> near = nearest(word, candidates);
  return near ? (", did you mean '" + *near + "'?").str() : "";
}
