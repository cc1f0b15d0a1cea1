// The command line of a subcommand, declared as a table. The entries parse the arguments, print --help and complete
// words in the shell.
#ifndef CAMEO_UTILS_CAMEO_COMMANDLINE_COMMANDLINE_H
#define CAMEO_UTILS_CAMEO_COMMANDLINE_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// The possible values of an option, for completion in the shell.
enum class Completes { Nothing, File, Folder, Words };

struct OptionEntry {
  std::string name;      // with its dashes: "--threads", "-o"
  std::string valueName; // "N"; empty for a flag
  std::string help;      // a sentence, with unit and default
  std::function<llvm::Error(llvm::StringRef)> apply;
  Completes completes = Completes::Nothing;
  std::vector<std::string> words; // for Completes::Words; no other values are allowed
  bool isList = false;            // whether the value is a list of words, separated by commas
  bool isValueOptional = false;   // whether the value follows '=' only; "" if it is missing
};

struct PositionalEntry {
  std::string name; // "MODEL.onnx"; "[FILE]" for an optional argument
  std::string help;
  std::string *target; // null: `rest` takes this argument and all that follow
  std::vector<std::string> words;
  std::vector<std::string> *rest = nullptr;
};

struct Example {
  std::string command;
  std::string meaning;
};

class CommandLine {
public:
  CommandLine(std::string name, std::string summary) : name(std::move(name)), summary(std::move(summary)) {}

  // ---- declaration; the order of calls is the order in --help ----

  void description(std::string text) { descriptionText = std::move(text); }
  void positional(std::string name, std::string help, std::string &target, std::vector<std::string> words = {});
  /// Declares one or more arguments, after all others.
  void positionals(std::string name, std::string help, std::vector<std::string> &targets);
  /// Adds a heading for the options that follow.
  void group(std::string title);
  void flag(std::string name, std::string help, bool &target);
  void text(std::string name, std::string valueName, std::string help, std::string &target,
            Completes completes = Completes::Nothing);
  /// Adds an option that takes an integer in [low, high].
  void integer(std::string name, std::string valueName, std::string help, int64_t &target, int64_t low, int64_t high);
  /// Adds an option that takes a number of at least 0.
  void number(std::string name, std::string valueName, std::string help, std::optional<double> &target);
  /// Adds an option that takes a positive number of bytes, with an optional suffix K, M or G for powers of 1024.
  void bytes(std::string name, std::string help, std::optional<int64_t> &target);
  void choice(std::string name, std::string help, std::vector<std::string> words, std::string &target);
  /// Adds an option that takes a list of `words`, separated by commas.
  void choices(std::string name, std::string help, std::vector<std::string> words, std::string &target);
  /// Adds an option that appends a list of any words, separated by commas, to `target`.
  void names(std::string name, std::string valueName, std::string help, std::vector<std::string> &target);
  /// Adds an option that may be given several times. `apply` is called for each value.
  void repeated(std::string name, std::string valueName, std::string help,
                std::function<llvm::Error(llvm::StringRef)> apply, Completes completes = Completes::Nothing);
  /// Like repeated(), but the value may be omitted.
  void repeatedOptional(std::string name, std::string valueName, std::string help,
                        std::function<llvm::Error(llvm::StringRef)> apply);
  void example(std::string command, std::string meaning);
  void exitStatus(std::string text) { exitStatusText = std::move(text); }

  // ---- use ----

  /// Parses the arguments after the subcommand's name. Stops at --help or -h and sets `isHelpRequested`.
  llvm::Error parse(llvm::ArrayRef<const char *> arguments);
  bool isHelpRequested = false;
  /// Parses one argument, which includes its value: "--option=value", "-o=value", a flag, or a positional argument.
  llvm::Error add(llvm::StringRef argument);

  void printHelp(llvm::raw_ostream &os) const;
  /// Prints the help as a manual page in roff.
  void printManPage(llvm::raw_ostream &os) const;
  const std::string &getName() const { return name; }
  const std::string &getSummary() const { return summary; }
  llvm::ArrayRef<OptionEntry> getOptions() const { return options; }
  llvm::ArrayRef<PositionalEntry> getPositionals() const { return positionalEntries; }
  /// Returns the names and values of the options that were parsed, in order.
  llvm::ArrayRef<std::pair<std::string, std::string>> getGiven() const { return given; }

private:
  struct Group {
    std::string title;
    size_t firstOption;
  };

  OptionEntry &add(std::string name, std::string valueName, std::string help);
  llvm::Error parseOption(llvm::StringRef argument, llvm::ArrayRef<const char *> &rest);
  llvm::Error applyValue(const OptionEntry &option, llvm::StringRef value);
  llvm::Error takePositional(llvm::StringRef argument);

  std::string name, summary, descriptionText, exitStatusText;
  std::vector<OptionEntry> options;
  std::vector<Group> groups;
  std::vector<PositionalEntry> positionalEntries;
  std::vector<Example> examples;
  size_t givenPositionals = 0;
  std::vector<std::pair<std::string, std::string>> given;
};

/// Returns the candidate that is most similar to `word`, if it is similar enough for a typing error.
std::optional<llvm::StringRef> nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

/// Returns ", did you mean 'X'?", or an empty string.
std::string suggestion(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

/// Writes `text` with the escapes that make roff print it unchanged.
void printRoff(llvm::raw_ostream &os, llvm::StringRef text);

/// Writes `text` in lines of at most `width` characters, each indented by `indent` blanks. The caller has indented the
/// first line. Line breaks in `text` are kept.
void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, unsigned indent, unsigned width = 100);

} // namespace cameo

#endif
