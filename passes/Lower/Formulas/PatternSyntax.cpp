// A recursive descent parser.
#include "passes/Lower/Formulas/PatternSyntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using llvm::StringRef;

namespace cameo::lower {
namespace {

using Node = PatternNode;
using Ranges = CodeRanges;
using NodePtr = std::unique_ptr<Node>;

/// RE2's limit of repetitions, and our limit for nested groups, because the parser is recursive.
constexpr int mostRepeats = 1000, mostDepth = 200;

struct Flags {
  bool foldsCase = false, isMultiLine = false, dotTakesNewline = false;
};

/// Parses until the first error. `error` is the message; all functions return early once it is set.
class Parser {
public:
  explicit Parser(StringRef pattern) : rest(pattern) {}

  llvm::Expected<NodePtr> run() {
    NodePtr node = parseChoice();
    if (error.empty() && !rest.empty())
      fail("')' without '('");
    if (!error.empty())
      return llvm::createStringError(error);
    return node;
  }

private:
  void fail(const llvm::Twine &what) {
    if (error.empty())
      error = what.str();
    rest = "";
  }

  static NodePtr make(Node::Kind kind) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    return node;
  }
  NodePtr makeCodes(Ranges ranges) {
    NodePtr node = make(Node::Kind::Codes);
    node->ranges = flags.foldsCase ? withVariants(std::move(ranges)) : normalize(std::move(ranges));
    return node;
  }
  static NodePtr makeAssertion(Assertion assertion) {
    NodePtr node = make(Node::Kind::Assert);
    node->assertion = assertion;
    return node;
  }

  NodePtr parseChoice();
  NodePtr parseSequence();
  NodePtr parseRepeated();
  bool takeRepetition(int &least, int &most);
  NodePtr parseAtom();
  NodePtr parseGroup();
  NodePtr parseFlags();
  NodePtr parseEscape();
  uint32_t parseEscapedCode();
  uint32_t parseHex();
  NodePtr parseClass();
  void parseClassItem(Ranges &ranges);
  uint32_t parseClassCode();
  uint32_t takeCode();

  StringRef rest;
  std::string error;
  Flags flags;
  int depth = 0;
};

/// Parses alternatives. Flags that a group sets end with the group.
NodePtr Parser::parseChoice() {
  if (++depth > mostDepth)
    fail("groups that are nested too deeply");
  NodePtr choice = make(Node::Kind::Choice);
  do
    choice->children.push_back(parseSequence());
  while (rest.consume_front("|"));
  --depth;
  return choice->children.size() == 1 ? std::move(choice->children.front()) : std::move(choice);
}

NodePtr Parser::parseSequence() {
  NodePtr sequence = make(Node::Kind::Sequence);
  while (!rest.empty() && rest.front() != '|' && rest.front() != ')')
    if (NodePtr part = parseRepeated())
      sequence->children.push_back(std::move(part));
  return sequence;
}

/// Parses `{n}`, `{n,}`, `{n,m}`, `*`, `+` or `?`. Braces in another form are literals.
bool Parser::takeRepetition(int &least, int &most) {
  if (rest.consume_front("*")) {
    least = 0, most = -1;
    return true;
  }
  if (rest.consume_front("+")) {
    least = 1, most = -1;
    return true;
  }
  if (rest.consume_front("?")) {
    least = 0, most = 1;
    return true;
  }
  StringRef text = rest;
  if (!text.consume_front("{") || text.consumeInteger(10, least))
    return false;
  most = least;
  if (text.consume_front(",") && text.consumeInteger(10, most))
    most = -1;
  if (!text.consume_front("}"))
    return false;
  if (least > mostRepeats || most > mostRepeats || (most >= 0 && most < least))
    fail("a repetition of " + llvm::Twine(least) + " to " + llvm::Twine(most) + " times");
  else
    rest = text;
  return true;
}

NodePtr Parser::parseRepeated() {
  NodePtr node = parseAtom();
  int least = 0, most = 0;
  bool isRepeated = false;
  while (error.empty() && takeRepetition(least, most)) {
    if (isRepeated || !node) {
      fail(node ? "a repetition of a repetition" : "a repetition of nothing");
      break;
    }
    isRepeated = true;
    rest.consume_front("?"); // prefers the shortest match, which is the same for a whole string
    NodePtr repeated = make(Node::Kind::Repetition);
    repeated->children.push_back(std::move(node));
    repeated->least = least;
    repeated->most = most;
    node = std::move(repeated);
  }
  return node;
}

/// Parses the next code point. The pattern must not be at its end.
uint32_t Parser::takeCode() {
  auto *source = reinterpret_cast<const llvm::UTF8 *>(rest.begin());
  llvm::UTF32 code = 0;
  if (llvm::convertUTF8Sequence(&source, reinterpret_cast<const llvm::UTF8 *>(rest.end()), &code,
                                llvm::strictConversion) != llvm::conversionOK) {
    fail("bytes that are not UTF-8");
    return 0;
  }
  rest = rest.drop_front(reinterpret_cast<const char *>(source) - rest.begin());
  return code;
}

/// Parses an atom. Returns null for flags, which cannot be repeated.
NodePtr Parser::parseAtom() {
  int least = 0, most = 0;
  if (StringRef before = rest; takeRepetition(least, most)) {
    fail("a repetition of nothing at '" + before.take_front(8) + "'");
    return nullptr;
  }
  if (rest.consume_front("("))
    return parseGroup();
  if (rest.consume_front("["))
    return parseClass();
  if (rest.consume_front("."))
    return makeCodes(flags.dotTakesNewline ? Ranges{{0, lastCode}} : complement({{'\n', '\n'}}));
  if (rest.consume_front("^"))
    return makeAssertion(flags.isMultiLine ? Assertion::LineBegin : Assertion::TextBegin);
  if (rest.consume_front("$"))
    return makeAssertion(flags.isMultiLine ? Assertion::LineEnd : Assertion::TextEnd);
  if (rest.consume_front("\\"))
    return parseEscape();
  uint32_t code = takeCode();
  return makeCodes({{code, code}});
}

NodePtr Parser::parseGroup() {
  Flags before = flags;
  if (rest.starts_with("?P<") || (rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!"))) {
    StringRef name = rest.drop_front(rest.find('<') + 1).take_until([](char c) { return c == '>'; });
    bool isName = !name.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!isName || name.end() == rest.end()) {
      fail("a group without a valid name");
      return nullptr;
    }
    rest = rest.drop_front(name.end() + 1 - rest.begin());
  } else if (rest.consume_front("?")) {
    NodePtr group = parseFlags();
    if (!group)
      return nullptr; // they hold until the surrounding group ends
    flags = before;
    return group;
  }
  NodePtr group = parseChoice();
  if (!rest.consume_front(")"))
    fail("'(' without ')'");
  flags = before;
  return group;
}

/// Parses what follows "(?": flags, then ")" or ":" and a group.
NodePtr Parser::parseFlags() {
  bool value = true;
  while (!rest.empty()) {
    char flag = rest.front();
    rest = rest.drop_front();
    switch (flag) {
    case 'i':
      flags.foldsCase = value;
      continue;
    case 'm':
      flags.isMultiLine = value;
      continue;
    case 's':
      flags.dotTakesNewline = value;
      continue;
    case 'U': // greedy and lazy are the same for a whole string
      continue;
    case '-':
      if (!value)
        break;
      value = false;
      continue;
    case ')':
      return nullptr;
    case ':': {
      NodePtr group = parseChoice();
      if (!rest.consume_front(")"))
        fail("'(' without ')'");
      return group;
    }
    default:
      break;
    }
    break;
  }
  fail("a group of an unknown kind: RE2 has no lookaround, and no flags other than i, m, s and U");
  return nullptr;
}

NodePtr Parser::parseEscape() {
  if (rest.empty()) {
    fail("a backslash at the end");
    return nullptr;
  }
  char letter = rest.front();
  if (std::optional<Ranges> ranges = perlClass(letter)) {
    rest = rest.drop_front();
    return makeCodes(std::move(*ranges));
  }
  if (rest.consume_front("Q")) {
    NodePtr sequence = make(Node::Kind::Sequence);
    while (!rest.empty() && !rest.consume_front("\\E")) {
      uint32_t code = takeCode();
      sequence->children.push_back(makeCodes({{code, code}}));
    }
    return sequence;
  }
  if (rest.consume_front("A"))
    return makeAssertion(Assertion::TextBegin);
  if (rest.consume_front("z"))
    return makeAssertion(Assertion::TextEnd);
  if (rest.consume_front("b"))
    return makeAssertion(Assertion::WordBoundary);
  if (rest.consume_front("B"))
    return makeAssertion(Assertion::NoWordBoundary);
  if (rest.consume_front("C"))
    return make(Node::Kind::AnyByte);
  uint32_t code = parseEscapedCode();
  return makeCodes({{code, code}});
}

/// Parses what follows \x: two digits, or any number of digits in braces.
uint32_t Parser::parseHex() {
  bool isBraced = rest.consume_front("{");
  StringRef digits = isBraced ? rest.take_until([](char c) { return c == '}'; }) : rest.take_front(2);
  uint32_t code = 0;
  if (digits.empty() || (!isBraced && digits.size() != 2) || digits.getAsInteger(16, code) || code > lastCode ||
      (isBraced && digits.size() == rest.size())) {
    fail("\\x without two hexadecimal digits, or some in braces");
    return 0;
  }
  rest = rest.drop_front(digits.size() + isBraced);
  return code;
}

/// Parses one code point after a backslash.
uint32_t Parser::parseEscapedCode() {
  if (rest.consume_front("x"))
    return parseHex();
  char letter = rest.empty() ? '\0' : rest.front();
  bool isOctal =
      letter == '0' || (letter >= '1' && letter <= '7' && rest.size() > 1 && rest[1] >= '0' && rest[1] <= '7');
  if (isOctal) {
    StringRef digits = rest.take_front(3).take_while([](char c) { return c >= '0' && c <= '7'; });
    uint32_t code = 0;
    [[maybe_unused]] bool isNone = digits.getAsInteger(8, code);
    rest = rest.drop_front(digits.size());
    return code;
  }
  constexpr StringRef letters = "aftnrv", codes = "\a\f\t\n\r\v";
  if (size_t index = letters.find(letter); letter && index != StringRef::npos) {
    rest = rest.drop_front();
    return codes[index];
  }
  if (rest.empty() || llvm::isAlnum(letter)) {
    fail(letter == 'p' || letter == 'P' ? llvm::Twine("a Unicode class, which is not supported: name its code points")
                                        : "an unknown escape sequence '\\" + llvm::Twine(letter) + "'");
    return 0;
  }
  return takeCode();
}

uint32_t Parser::parseClassCode() { return rest.consume_front("\\") ? parseEscapedCode() : takeCode(); }

/// Parses a class, a code point or a range of code points within brackets.
void Parser::parseClassItem(Ranges &ranges) {
  if (rest.starts_with("[:")) {
    size_t end = rest.find(":]");
    StringRef name = end == StringRef::npos ? StringRef() : rest.slice(2, end);
    bool isNegated = name.consume_front("^");
    Ranges named = posixClass(name);
    if (named.empty())
      return fail("an unknown class of characters in '[:'");
    rest = rest.drop_front(end + 2);
    return llvm::append_range(ranges, isNegated ? complement(named) : named);
  }
  if (rest.size() > 1 && rest.front() == '\\')
    if (std::optional<Ranges> perl = perlClass(rest[1])) {
      rest = rest.drop_front(2);
      return llvm::append_range(ranges, *perl);
    }
  uint32_t first = parseClassCode(), last = first;
  if (rest.size() > 1 && rest.front() == '-' && rest[1] != ']') {
    rest = rest.drop_front();
    last = parseClassCode();
  }
  if (last < first)
    return fail("a range of characters that ends before it begins");
  ranges.push_back({first, last});
}

NodePtr Parser::parseClass() {
  bool isNegated = rest.consume_front("^"), isFirst = true;
  Ranges ranges;
  // A closing bracket at the beginning is a literal.
  for (; error.empty() && (isFirst || !rest.consume_front("]")); isFirst = false) {
    if (rest.empty()) {
      fail("'[' without ']'");
      break;
    }
    parseClassItem(ranges);
  }
  NodePtr node = makeCodes(std::move(ranges));
  if (isNegated)
    node->ranges = complement(node->ranges);
  return node;
}

} // namespace

llvm::Expected<NodePtr> parsePattern(StringRef pattern) { return Parser(pattern).run(); }

} // namespace cameo::lower
