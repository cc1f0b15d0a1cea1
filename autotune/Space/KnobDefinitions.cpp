#include "autotune/Space/KnobDefinitions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

namespace cameo::autotune {

using llvm::StringRef;

namespace {

using Words = llvm::SmallVector<StringRef>;

class DefinitionReader {
public:
  explicit DefinitionReader(StringRef file) : file(file) {}

  llvm::Error readLine(unsigned number, StringRef text);
  std::vector<std::shared_ptr<const TaskKnobDefinitions>> tasks;

private:
  llvm::Error fail(const llvm::Twine &what) const {
    return llvm::createStringError(file + ":" + llvm::Twine(line) + ": " + what);
  }
  llvm::Error readTemplate(const Words &words);
  llvm::Error readSplit(const Words &words, NestKnobDefinitions &nest);
  llvm::Error readPolicies(const Words &words, NestKnobDefinitions &nest);
  llvm::Error readKnob(const Words &words, NestKnobDefinitions &nest);
  llvm::Error readFilter(StringRef text, NestKnobDefinitions &nest);
  llvm::Expected<unsigned> readDim(StringRef word) const;
  llvm::Error readNumber(StringRef word, int64_t low, int64_t high, int64_t &number) const;

  std::string file;
  unsigned line = 0, nest = 0;
  std::shared_ptr<TaskKnobDefinitions> task;
};

} // namespace

constexpr int64_t largestFactor = int64_t(1) << 30;
constexpr size_t mostCandidates = 4096;

llvm::Error DefinitionReader::readNumber(StringRef word, int64_t low, int64_t high, int64_t &number) const {
  if (!word.getAsInteger(10, number) && number >= low && number <= high)
    return llvm::Error::success();
  return fail("expected a whole number from " + llvm::Twine(low) + " to " + llvm::Twine(high) + ", got '" + word + "'");
}

llvm::Expected<unsigned> DefinitionReader::readDim(StringRef word) const {
  unsigned dim = 0;
  StringRef number = word;
  constexpr unsigned mostDims = 64;
  if (!number.consume_front("d") || number.getAsInteger(10, dim) || dim >= mostDims)
    return fail("expected a dimension such as d0, got '" + word + "'");
  return dim;
}

llvm::Error DefinitionReader::readTemplate(const Words &words) {
  if (words.size() != 2)
    return fail("expected 'template PATTERN', a pattern of task names");
  if (llvm::Error error = llvm::GlobPattern::create(words[1]).takeError())
    return fail("'" + words[1] + "': " + llvm::toString(std::move(error)));
  task = std::make_shared<TaskKnobDefinitions>(TaskKnobDefinitions{file, words[1].str(), line, {}});
  tasks.push_back(task);
  nest = 0;
  return llvm::Error::success();
}

llvm::Error DefinitionReader::readSplit(const Words &words, NestKnobDefinitions &definitions) {
  llvm::Expected<unsigned> dim = readDim(words.size() > 1 ? words[1] : "");
  if (!dim)
    return dim.takeError();
  NestKnobDefinitions::Split split;
  split.line = line;
  bool hasPolicy = false;
  for (StringRef word : llvm::drop_begin(words, 2)) {
    auto [key, value] = word.split('=');
    int64_t number = 0;
    if (key == "pieces") {
      if (llvm::Error error = readNumber(value, 2, 3, number))
        return error;
      split.pieces = static_cast<unsigned>(number);
    } else if (key == "max_factor") {
      if (llvm::Error error = readNumber(value, 1, largestFactor, number))
        return error;
      split.maxFactor = number;
    } else if (key == "policy" && llvm::is_contained({"factors", "power2", "verbose"}, value)) {
      split.policy = value == "factors"  ? SplitPolicy::Factors
                     : value == "power2" ? SplitPolicy::Power2
                                         : SplitPolicy::Verbose;
      hasPolicy = true;
    } else if (key == "candidates") {
      for (StringRef candidate : llvm::split(value, ',')) {
        llvm::SmallVector<int64_t, 4> &sizes = split.candidates.emplace_back();
        for (StringRef size : llvm::split(candidate, 'x')) {
          if (llvm::Error error = readNumber(size, 1, largestFactor, number))
            return error;
          sizes.push_back(number);
        }
      }
    } else {
      return fail("expected pieces=2|3, policy=factors|power2|verbose, max_factor=N or candidates=AxB,..., got '" +
                  word + "'");
    }
  }
  if (!split.candidates.empty()) {
    size_t sizes = split.candidates.front().size();
    if (hasPolicy || sizes > 2 || split.candidates.size() > mostCandidates ||
        llvm::any_of(split.candidates, [&](const auto &each) { return each.size() != sizes; }))
      return fail("expected candidates without a policy, all with one size or all with two sizes");
    split.pieces = static_cast<unsigned>(sizes) + 1;
  }
  definitions.splits[*dim] = std::move(split);
  return llvm::Error::success();
}

llvm::Error DefinitionReader::readPolicies(const Words &words, NestKnobDefinitions &definitions) {
  static constexpr std::pair<StringRef, ReorderPolicy> orders[] = {
      {"identity", ReorderPolicy::Identity}, {"all", ReorderPolicy::All}, {"interleave", ReorderPolicy::Interleave}};
  static constexpr std::pair<StringRef, AnnotatePolicy> annotations[] = {
      {"none", AnnotatePolicy::None},
      {"try_unroll", AnnotatePolicy::TryUnroll},
      {"try_vec", AnnotatePolicy::TryVec},
      {"try_unroll_vec", AnnotatePolicy::TryUnrollVec}};
  StringRef policy = words.size() == 2 ? words[1] : "";
  bool isNamed = policy.consume_front("policy=");
  auto find = [&](const auto &table) {
    return llvm::find_if(table, [&](const auto &each) { return each.first == policy; });
  };
  if (words.front() == "reorder") {
    auto found = find(orders);
    if (!isNamed || found == std::end(orders))
      return fail("expected 'reorder policy=identity|all|interleave'");
    definitions.reorder = found->second;
    return llvm::Error::success();
  }
  auto found = find(annotations);
  if (!isNamed || found == std::end(annotations))
    return fail("expected 'annotate policy=none|try_unroll|try_vec|try_unroll_vec'");
  definitions.annotate = found->second;
  return llvm::Error::success();
}

llvm::Error DefinitionReader::readKnob(const Words &words, NestKnobDefinitions &definitions) {
  StringRef values = words.size() == 3 ? words[2] : "";
  bool isUnroll = words.size() > 1 && words[1] == "unroll", isParallel = words.size() > 1 && words[1] == "parallel";
  if (!values.consume_front("candidates=") || (!isUnroll && !isParallel))
    return fail("expected 'knob unroll|parallel candidates=N,...'");
  std::vector<int64_t> candidates;
  constexpr int64_t mostUnrolled = 64, mostParallel = 8;
  for (StringRef value : llvm::split(values, ',')) {
    int64_t number = 0;
    if (llvm::Error error = readNumber(value, isUnroll ? 1 : 0, isUnroll ? mostUnrolled : mostParallel, number))
      return error;
    candidates.push_back(number);
  }
  (isUnroll ? definitions.unroll : definitions.parallel) = std::move(candidates);
  return llvm::Error::success();
}

llvm::Error DefinitionReader::readFilter(StringRef text, NestKnobDefinitions &definitions) {
  auto [dims, most] = text.split("<=");
  NestKnobDefinitions::Filter filter;
  filter.line = line;
  for (StringRef word : llvm::split(dims, '*')) {
    llvm::Expected<unsigned> dim = readDim(word.trim());
    if (!dim)
      return dim.takeError();
    filter.dims.push_back(*dim);
  }
  if (llvm::Error error = readNumber(most.trim(), 1, INT64_MAX, filter.most))
    return error;
  definitions.filters.push_back(std::move(filter));
  return llvm::Error::success();
}

llvm::Error DefinitionReader::readLine(unsigned number, StringRef text) {
  line = number;
  text = text.split('#').first.trim();
  Words words;
  llvm::SplitString(text, words);
  if (words.empty())
    return llvm::Error::success();
  StringRef kind = words.front();
  if (kind == "template")
    return readTemplate(words);
  if (!task)
    return fail("expected 'template PATTERN' first, got '" + kind + "'");
  if (kind == "nest") {
    int64_t given = 0;
    constexpr int64_t mostNests = 1 << 16;
    if (llvm::Error error = readNumber(words.size() == 2 ? words[1] : "", 0, mostNests, given))
      return error;
    nest = static_cast<unsigned>(given);
    return llvm::Error::success();
  }
  NestKnobDefinitions &definitions = task->nests[nest];
  if (kind == "split")
    return readSplit(words, definitions);
  if (kind == "reorder" || kind == "annotate")
    return readPolicies(words, definitions);
  if (kind == "knob")
    return readKnob(words, definitions);
  if (kind == "filter")
    return readFilter(text.drop_front(kind.size()), definitions);
  return fail("expected template, nest, split, reorder, annotate, knob or filter, got '" + kind + "'");
}

llvm::Expected<std::vector<std::shared_ptr<const TaskKnobDefinitions>>> parseKnobDefinitions(StringRef file,
                                                                                             StringRef text) {
  DefinitionReader reader(file);
  unsigned number = 0;
  for (StringRef line : llvm::split(text, '\n'))
    if (llvm::Error error = reader.readLine(++number, line))
      return std::move(error);
  return std::move(reader.tasks);
}

std::shared_ptr<const TaskKnobDefinitions>
findKnobDefinitions(llvm::ArrayRef<std::shared_ptr<const TaskKnobDefinitions>> all, StringRef task) {
  for (const std::shared_ptr<const TaskKnobDefinitions> &each : all)
    if (llvm::cantFail(llvm::GlobPattern::create(each->pattern), "it was read").match(task))
      return each;
  return nullptr;
}

} // namespace cameo::autotune
