#include "passes/Codegen/SpellInC.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace cameo {

/// Words that C11 or C++ takes, and what compilers define in their GNU modes.
static bool isReserved(StringRef name) {
  static const StringSet<> words = {
      "NULL",     "alignas",  "alignof",   "and",       "and_eq",   "asm",          "assert",    "auto",     "bitand",
      "bitor",    "bool",     "break",     "case",      "catch",    "char",         "char8_t",   "char16_t", "char32_t",
      "class",    "compl",    "concept",   "const",     "const_cast", "consteval",  "constexpr", "constinit", "continue",
      "co_await", "co_return", "co_yield", "decltype",  "default",  "delete",       "do",        "double",   "dynamic_cast",
      "else",     "enum",     "errno",     "explicit",  "export",   "extern",       "false",     "float",    "for",
      "friend",   "goto",     "i386",      "if",        "inline",   "int",          "linux",     "long",     "mutable",
      "namespace", "new",     "noexcept",  "not",       "not_eq",   "nullptr",      "operator",  "or",       "or_eq",
      "private",  "protected", "public",   "register",  "reinterpret_cast", "requires", "restrict", "return", "short",
      "signed",   "sizeof",   "static",    "static_assert", "static_cast", "stderr", "stdin",    "stdout",   "struct",
      "switch",   "template", "this",      "thread_local", "throw", "true",         "try",       "typedef",  "typeid",
      "typename", "typeof",   "union",     "unix",      "unsigned", "using",        "virtual",   "void",     "volatile",
      "wchar_t",  "while",    "xor",       "xor_eq"};
  return words.contains(name);
}

std::vector<std::string> toIdentifiers(ArrayRef<std::string> originals) {
  std::vector<std::string> names;
  // The macros are in capitals: names that differ in their case alone would share one.
  StringSet<> taken;
  for (const std::string &original : originals) {
    std::string name;
    for (char c : original)
      name += isAlnum(c) || c == '_' ? c : '_';
    // Leading underscores and digits are reserved or invalid.
    if (name.empty() || isDigit(name[0]) || name[0] == '_')
      name = "t" + name;
    if (isReserved(name))
      name += "_";
    std::string unique = name;
    for (unsigned copy = 2; !taken.insert(StringRef(unique).lower()).second; ++copy)
      unique = name + "_" + std::to_string(copy);
    names.push_back(unique);
  }
  return names;
}

std::string inComment(StringRef text) {
  std::string safe;
  for (char c : text)
    safe += isPrint(c) && c != '*' && c != '\\' ? c : '?';
  return safe;
}

std::string textLiteral(StringRef text) {
  std::string literal = "\"";
  for (unsigned char c : text) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      literal += c;
    else // octal digits end where an escape of hexadecimal ones would go on
      literal += {'\\', char('0' + (c >> 6)), char('0' + ((c >> 3) & 7)), char('0' + (c & 7))};
  }
  return literal + "\"";
}

std::string integerLiteral(int64_t value) {
  return value == INT64_MIN ? "INT64_MIN" : "INT64_C(" + std::to_string(value) + ")";
}

} // namespace cameo
