// The command line of one subcommand, declared as a table: the same entries parse the arguments, render --help and
// complete words in the shell.
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

/// What a value may be, for completion in the shell.
enum class Completes { Nothing, File, Folder, Words };

struct OptionEntry {
  std::string name;      // with its dashes: "--threads", "-o"
  std::string valueName; // "N"; empty for a flag
  std::string help;      // a sentence, with unit and default
  std::function<llvm::Error(llvm::StringRef)> apply;
  Completes completes = Completes::Nothing;
  std::vector<std::string> words; // for Completes::Words; also the only values allowed
  bool isList = false;            // of words, with commas between
  bool isValueOptional = false;   // it follows '=' alone, and is "" where it is not given
};

struct PositionalEntry {
  std::string name; // "MODEL.onnx"; "[FILE]": may be left out
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
  /// One or more arguments, after all others.
  void positionals(std::string name, std::string help, std::vector<std::string> &targets);
  /// A heading for the options that follow.
  void group(std::string title);
  void flag(std::string name, std::string help, bool &target);
  void text(std::string name, std::string valueName, std::string help, std::string &target,
            Completes completes = Completes::Nothing);
  /// An integer in [low, high].
  void integer(std::string name, std::string valueName, std::string help, int64_t &target, int64_t low, int64_t high);
  /// A number that is not negative.
  void number(std::string name, std::string valueName, std::string help, std::optional<double> &target);
  /// A number of bytes above 0, with a suffix of K, M or G for powers of 1024.
  void bytes(std::string name, std::string help, std::optional<int64_t> &target);
  void choice(std::string name, std::string help, std::vector<std::string> words, std::string &target);
  /// Some of the words, with commas between.
  void choices(std::string name, std::string help, std::vector<std::string> words, std::string &target);
  /// Any words, with commas between, beside those that were given before.
  void names(std::string name, std::string valueName, std::string help, std::vector<std::string> &target);
  /// An option given any number of times.
  void repeated(std::string name, std::string valueName, std::string help,
                std::function<llvm::Error(llvm::StringRef)> apply, Completes completes = Completes::Nothing);
  /// The same with a value that may be left out.
  void repeatedOptional(std::string name, std::string valueName, std::string help,
                        std::function<llvm::Error(llvm::StringRef)> apply);
  void example(std::string command, std::string meaning);
  void exitStatus(std::string text) { exitStatusText = std::move(text); }

  // ---- use ----

  /// Parses what follows the subcommand's name. Sets `wantsHelp` and stops when --help or -h is there.
  llvm::Error parse(llvm::ArrayRef<const char *> arguments);
  bool wantsHelp = false;
  /// Parses one argument, whose value is in it: "--option=value", "-o=value", a flag, or a positional one.
  llvm::Error add(llvm::StringRef argument);

  void printHelp(llvm::raw_ostream &os) const;
  /// The same as a manual page, in roff.
  void printManPage(llvm::raw_ostream &os) const;
  const std::string &getName() const { return name; }
  const std::string &getSummary() const { return summary; }
  llvm::ArrayRef<OptionEntry> getOptions() const { return options; }
  llvm::ArrayRef<PositionalEntry> getPositionals() const { return positionalEntries; }
  /// What was parsed: names of options and their values, in order.
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

/// The candidate most like `word`, when it is near enough to be a slip of the finger.
std::optional<llvm::StringRef> nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

/// ", did you mean 'X'?" or nothing.
std::string suggestion(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

/// Writes `text` for roff, which then shows it as it is.
void printRoff(llvm::raw_ostream &os, llvm::StringRef text);

/// Writes `text` broken into lines of at most `width`, each after `indent` blanks; the first line's indent is assumed
/// to be there already. Lines of the text itself stay lines.
void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, unsigned indent, unsigned width = 100);

} // namespace cameo

#endif
