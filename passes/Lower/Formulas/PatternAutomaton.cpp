// Builds a nondeterministic automaton over bytes from the tree of a pattern (Thompson 1968), and from that a
// deterministic one by subset construction. A subset includes what an assertion needs to know of the byte before it.
// The byte after it is known only when it is read, so assertions are followed as late as possible.
#include "passes/Lower/Formulas/PatternAutomaton.h"

#include "passes/Lower/Formulas/PatternSyntax.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <map>

using llvm::StringRef;

namespace cameo::lower {
namespace {

/// Limits of both automata, because a pattern such as (a|b)*a(a|b){20} needs 2^20 states.
constexpr size_t mostNodes = 200000, mostStates = 10000;

struct State {
  enum class Kind { Bytes, Split, Assert, Accept };
  Kind kind;
  uint8_t first = 0, last = 0; ///< range of bytes that the state accepts
  Assertion assertion = Assertion::TextBegin;
  unsigned next = 0, other = 0;
};

// ---- nondeterministic ----

/// Builds the automaton from its end: each part gets the state that follows it.
class NfaBuilder {
public:
  NfaBuilder() { add({State::Kind::Accept}); }

  unsigned build(const PatternNode &node, unsigned next);
  bool isTooLarge() const { return states.size() > mostNodes; }

  std::vector<State> states;

private:
  unsigned add(State state) {
    states.push_back(state);
    return states.size() - 1;
  }
  unsigned addBytes(uint8_t first, uint8_t last, unsigned next) {
    State state{State::Kind::Bytes, first, last};
    state.next = next;
    return add(state);
  }
  unsigned addSplit(unsigned next, unsigned other) {
    State state{State::Kind::Split};
    state.next = next;
    state.other = other;
    return add(state);
  }
  unsigned buildRange(CodeRange range, unsigned next);
  unsigned buildCodes(llvm::ArrayRef<CodeRange> ranges, unsigned next);
  unsigned buildRepetition(const PatternNode &node, unsigned next);
};

unsigned encode(uint32_t code, std::array<uint8_t, 4> &bytes) {
  unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr uint8_t marks[] = {0, 0xC0, 0xE0, 0xF0};
  bytes[0] = marks[more] | code >> (6 * more);
  for (unsigned i = 1; i <= more; ++i)
    bytes[i] = 0x80 | (code >> (6 * (more - i)) & 0x3F);
  return more + 1;
}

/// Builds a chain of byte ranges if the UTF-8 encoding of the range is one. Other ranges are split where trailing bytes
/// start again.
unsigned NfaBuilder::buildRange(CodeRange range, unsigned next) {
  auto part = [&](uint32_t end) {
    unsigned low = buildRange({range.first, end}, next);
    return addSplit(low, buildRange({end + 1, range.last}, next));
  };
  for (uint32_t end : {0x7Fu, 0x7FFu, 0xFFFFu})
    if (range.first <= end && end < range.last)
      return part(end);
  for (unsigned bits = range.last < 0x80 ? 24 : 6; bits <= 18; bits += 6) {
    uint32_t mask = (1u << bits) - 1;
    if ((range.first & ~mask) == (range.last & ~mask))
      continue;
    if (range.first & mask)
      return part(range.first | mask);
    if ((range.last & mask) != mask)
      return part((range.last & ~mask) - 1);
  }
  std::array<uint8_t, 4> first, last;
  unsigned length = encode(range.first, first);
  encode(range.last, last);
  for (unsigned i = length; i-- > 0;)
    next = addBytes(first[i], last[i], next);
  return next;
}

unsigned NfaBuilder::buildCodes(llvm::ArrayRef<CodeRange> ranges, unsigned next) {
  // A range from the last byte down to the first accepts no byte.
  if (ranges.empty())
    return addBytes(1, 0, next);
  unsigned start = buildRange(ranges.back(), next);
  for (CodeRange range : llvm::reverse(ranges.drop_back()))
    start = addSplit(buildRange(range, next), start);
  return start;
}

unsigned NfaBuilder::buildRepetition(const PatternNode &node, unsigned next) {
  const PatternNode &child = *node.children.front();
  unsigned start = next;
  if (node.most < 0) {
    start = addSplit(0, next);
    unsigned body = build(child, start);
    states[start].next = body;
  }
  for (int copy = node.least; copy < node.most && !isTooLarge(); ++copy)
    start = addSplit(build(child, start), next);
  for (int copy = 0; copy < node.least && !isTooLarge(); ++copy)
    start = build(child, start);
  return start;
}

unsigned NfaBuilder::build(const PatternNode &node, unsigned next) {
  if (isTooLarge())
    return next;
  switch (node.kind) {
  case PatternNode::Kind::Codes:
    return buildCodes(node.ranges, next);
  case PatternNode::Kind::AnyByte:
    return addBytes(1, 255, next);
  case PatternNode::Kind::Assert: {
    State state{State::Kind::Assert};
    state.assertion = node.assertion;
    state.next = next;
    return add(state);
  }
  case PatternNode::Kind::Sequence:
    for (const std::unique_ptr<PatternNode> &child : llvm::reverse(node.children))
      next = build(*child, next);
    return next;
  case PatternNode::Kind::Choice: {
    unsigned start = build(*node.children.back(), next);
    for (const std::unique_ptr<PatternNode> &child : llvm::reverse(llvm::ArrayRef(node.children).drop_back()))
      start = addSplit(build(*child, next), start);
    return start;
  }
  case PatternNode::Kind::Repetition:
    return buildRepetition(node, next);
  }
  llvm_unreachable("unknown kind of node");
}

// ---- deterministic ----

/// The classes of bytes that assertions distinguish. The ends of the string count as bytes of class Edge.
enum Side : uint8_t { Other, Word, Newline, Edge };

Side sideOf(uint8_t byte) {
  if (byte == '\n')
    return Newline;
  return llvm::isAlnum(byte) || byte == '_' ? Word : Other;
}

bool holds(Assertion assertion, Side before, Side after) {
  switch (assertion) {
  case Assertion::TextBegin:
    return before == Edge;
  case Assertion::TextEnd:
    return after == Edge;
  case Assertion::LineBegin:
    return before == Edge || before == Newline;
  case Assertion::LineEnd:
    return after == Edge || after == Newline;
  case Assertion::WordBoundary:
    return (before == Word) != (after == Word);
  case Assertion::NoWordBoundary:
    return (before == Word) == (after == Word);
  }
  llvm_unreachable("unknown assertion");
}

class DfaBuilder {
public:
  DfaBuilder(const std::vector<State> &states) : states(states) {
    hasAssertions = llvm::any_of(states, [](const State &state) { return state.kind == State::Kind::Assert; });
    findClasses();
  }

  /// Builds the automaton from `start`. Returns false if it has too many states.
  bool build(unsigned start);
  std::string write() const;

private:
  /// The states that may follow, before edges without a byte are followed, and the class of the byte before.
  struct Subset {
    std::vector<unsigned> states;
    Side before;
    bool operator<(const Subset &other) const {
      return std::tie(before, states) < std::tie(other.before, other.states);
    }
  };
  struct Row {
    bool accepts = false;
    std::vector<unsigned> next; ///< per byte class
  };

  void findClasses();
  std::vector<unsigned> follow(const Subset &subset, Side after) const;
  unsigned numberOf(Subset subset);
  Row makeRow(const Subset &subset);

  const std::vector<State> &states;
  bool hasAssertions = false;
  std::array<unsigned, 256> classOf = {};
  std::vector<uint8_t> examples; ///< a byte of each class
  std::map<Subset, unsigned> numbers;
  std::vector<const Subset *> subsets;
  std::vector<Row> rows;
};

/// Divides the bytes into classes that all states and assertions treat alike.
void DfaBuilder::findClasses() {
  std::array<bool, 257> begins = {};
  begins[1] = true;
  for (const State &state : states)
    if (state.kind == State::Kind::Bytes && state.first <= state.last)
      begins[state.first] = begins[state.last + 1] = true;
  for (unsigned byte = 1; byte < 256; ++byte)
    if (begins[byte] || (hasAssertions && sideOf(byte) != sideOf(byte - 1))) {
      examples.push_back(byte);
      classOf[byte] = examples.size() - 1;
    } else {
      classOf[byte] = examples.size() - 1;
    }
}

/// Returns all states that accept a byte or the string and are reached without reading a byte.
std::vector<unsigned> DfaBuilder::follow(const Subset &subset, Side after) const {
  std::vector<unsigned> reached, open = subset.states;
  llvm::DenseSet<unsigned> seen;
  while (!open.empty()) {
    unsigned number = open.back();
    open.pop_back();
    if (!seen.insert(number).second)
      continue;
    const State &state = states[number];
    if (state.kind == State::Kind::Bytes || state.kind == State::Kind::Accept)
      reached.push_back(number);
    else if (state.kind == State::Kind::Split)
      open.insert(open.end(), {state.next, state.other});
    else if (holds(state.assertion, subset.before, after))
      open.push_back(state.next);
  }
  return reached;
}

/// Returns the number of a subset. State 0 is the empty subset.
unsigned DfaBuilder::numberOf(Subset subset) {
  llvm::sort(subset.states);
  subset.states.erase(llvm::unique(subset.states), subset.states.end());
  if (!hasAssertions || subset.states.empty())
    subset.before = Other;
  auto [it, added] = numbers.try_emplace(std::move(subset), subsets.size());
  if (added)
    subsets.push_back(&it->first);
  return it->second;
}

DfaBuilder::Row DfaBuilder::makeRow(const Subset &subset) {
  Row row;
  constexpr unsigned accept = 0; // the first state of the nondeterministic automaton
  row.accepts = llvm::is_contained(follow(subset, Edge), accept);
  std::array<std::vector<unsigned>, 3> reached;
  for (Side after : {Other, Word, Newline})
    if (after == Other || hasAssertions)
      reached[after] = follow(subset, after);
  for (uint8_t byte : examples) {
    Side side = hasAssertions ? sideOf(byte) : Other;
    Subset next{{}, side};
    for (unsigned number : reached[side])
      if (const State &state = states[number];
          state.kind == State::Kind::Bytes && state.first <= byte && byte <= state.last)
        next.states.push_back(state.next);
    row.next.push_back(numberOf(std::move(next)));
  }
  return row;
}

bool DfaBuilder::build(unsigned start) {
  numberOf({{}, Other});
  numberOf({{start}, Edge});
  for (size_t number = 0; number < subsets.size(); ++number) {
    if (subsets.size() > mostStates)
      return false;
    rows.push_back(makeRow(*subsets[number]));
  }
  return true;
}

/// Writes the format that text_pattern.c of the runtime reads.
std::string DfaBuilder::write() const {
  std::string text;
  auto append = [&](unsigned number) {
    text += static_cast<char>(number % 255 + 1);
    text += static_cast<char>(number / 255 + 1);
  };
  append(rows.size());
  append(examples.size());
  for (unsigned byte = 1; byte < 256; ++byte)
    append(classOf[byte]);
  for (const Row &row : rows) {
    append(row.accepts);
    for (unsigned next : row.next)
      append(next);
  }
  return text;
}

} // namespace

llvm::Expected<std::string> compilePattern(StringRef pattern) {
  llvm::Expected<std::unique_ptr<PatternNode>> tree = parsePattern(pattern);
  if (!tree)
    return tree.takeError();
  NfaBuilder nfa;
  unsigned start = nfa.build(**tree, /*next=*/0);
  DfaBuilder dfa(nfa.states);
  if (nfa.isTooLarge() || !dfa.build(start))
    return llvm::createStringError("an automaton of more than " + llvm::Twine(mostStates) + " states");
  return dfa.write();
}

} // namespace cameo::lower
