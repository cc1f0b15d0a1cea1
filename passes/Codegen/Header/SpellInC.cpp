#include "passes/Codegen/Header/SpellInC.h"

#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace cameo {

/// Whether `name` is a keyword of C or C++, or a macro of a common header. A macro is expanded at every use of the
/// name, also as a member, and also if the program includes its header after ours.
/// `test/passes/Codegen/hostile-names.test` compares with the headers of the system.
static bool isReserved(StringRef name) {
  static const StringSet<> keywords = {"alignas",
                                       "alignof",
                                       "and",
                                       "and_eq",
                                       "asm",
                                       "auto",
                                       "bitand",
                                       "bitor",
                                       "bool",
                                       "break",
                                       "case",
                                       "catch",
                                       "char",
                                       "class",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "const",
                                       "const_cast",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "continue",
                                       "contract_assert",
                                       "decltype",
                                       "default",
                                       "delete",
                                       "do",
                                       "double",
                                       "dynamic_cast",
                                       "else",
                                       "enum",
                                       "explicit",
                                       "export",
                                       "extern",
                                       "false",
                                       "float",
                                       "for",
                                       "friend",
                                       "goto",
                                       "if",
                                       "inline",
                                       "int",
                                       "long",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not",
                                       "not_eq",
                                       "nullptr",
                                       "operator",
                                       "or",
                                       "or_eq",
                                       "private",
                                       "protected",
                                       "public",
                                       "register",
                                       "reinterpret_cast",
                                       "requires",
                                       "restrict",
                                       "return",
                                       "self",
                                       "short",
                                       "signed",
                                       "sizeof",
                                       "static",
                                       "static_assert",
                                       "static_cast",
                                       "struct",
                                       "super",
                                       "switch",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "true",
                                       "try",
                                       "typedef",
                                       "typeid",
                                       "typename",
                                       "typeof",
                                       "typeof_unqual",
                                       "union",
                                       "unsigned",
                                       "using",
                                       "virtual",
                                       "void",
                                       "volatile",
                                       "while",
                                       "xor",
                                       "xor_eq"};
  // Macros in lower and mixed case without parameters. A macro with parameters is only expanded before a parenthesis.
  static const StringSet<> macrosOfC = {"assert",
                                        "basename",
                                        "complex",
                                        "d_fileno",
                                        "errno",
                                        "h_addr",
                                        "h_errno",
                                        "i386",
                                        "ifa_broadaddr",
                                        "ifa_dstaddr",
                                        "ifc_buf",
                                        "ifc_req",
                                        "ifr_addr",
                                        "ifr_bandwidth",
                                        "ifr_broadaddr",
                                        "ifr_data",
                                        "ifr_dstaddr",
                                        "ifr_flags",
                                        "ifr_hwaddr",
                                        "ifr_ifindex",
                                        "ifr_map",
                                        "ifr_metric",
                                        "ifr_mtu",
                                        "ifr_name",
                                        "ifr_netmask",
                                        "ifr_newname",
                                        "ifr_qlen",
                                        "ifr_slave",
                                        "imaginary",
                                        "linux",
                                        "math_errhandling",
                                        "msg_cbytes",
                                        "noreturn",
                                        "s6_addr",
                                        "s6_addr16",
                                        "s6_addr32",
                                        "s_addr",
                                        "sa_handler",
                                        "sa_sigaction",
                                        "sched_priority",
                                        "si_addr",
                                        "si_addr_lsb",
                                        "si_arch",
                                        "si_band",
                                        "si_call_addr",
                                        "si_fd",
                                        "si_int",
                                        "si_lower",
                                        "si_overrun",
                                        "si_pid",
                                        "si_pkey",
                                        "si_ptr",
                                        "si_status",
                                        "si_stime",
                                        "si_syscall",
                                        "si_timerid",
                                        "si_uid",
                                        "si_upper",
                                        "si_utime",
                                        "si_value",
                                        "sigev_notify_attributes",
                                        "sigev_notify_function",
                                        "st_atime",
                                        "st_ctime",
                                        "st_mtime",
                                        "stderr",
                                        "stdin",
                                        "stdout",
                                        "sun",
                                        "unix"};
  // Macros of windows.h, Xlib.h and Objective-C.
  static const StringSet<> otherMacros = {
      "Above",    "Always", "Below", "Bool",  "Complex",   "False", "Nil", "None", "Status", "Success", "True",
      "Unsorted", "cdecl",  "far",   "hyper", "interface", "max",   "min", "near", "nil",    "pascal",  "small"};
  // Most macros look like this: INT64_MAX, EOF, PRId64, M_PIf, L_tmpnam. Of names of one letter, C only reserves `I`.
  bool isInCapitals = name.size() > 1 ? !isLower(name[0]) && !isLower(name[1]) : name == "I";
  // Names of types: in C++ a member of the same name would hide the type from the members after it.
  bool isType = name.ends_with("_t") || name.starts_with("cameo_");
  return isInCapitals || isType || keywords.contains(name) || macrosOfC.contains(name) || otherMacros.contains(name);
}

std::vector<std::string> toIdentifiers(ArrayRef<std::string> originals) {
  std::vector<std::string> names;
  // The names of macros are in capitals, so names that differ only in case would give the same macro.
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

std::string inComment(StringRef string) {
  std::string safe;
  for (auto [number, c] : llvm::enumerate(string)) {
    // A '*' between two sizes, which neither begins nor ends a comment.
    bool isProduct =
        c == '*' && number > 0 && number + 1 < string.size() && string[number - 1] != '/' && string[number + 1] != '/';
    safe += isProduct || (isPrint(c) && c != '*' && c != '\\') ? c : '?';
  }
  return safe;
}

std::string stringLiteral(StringRef string) {
  std::string literal = "\"";
  for (unsigned char c : string) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      literal += c;
    else // octal, because a hexadecimal escape would include digits that follow it
      literal += {'\\', char('0' + (c >> 6)), char('0' + ((c >> 3) & 7)), char('0' + (c & 7))};
  }
  return literal + "\"";
}

StringRef elementTypeConstant(int type) {
  static constexpr StringRef names[] = {
      "",      "FLOAT32", "UINT8",      "INT8",         "UINT16",         "INT16",      "INT32",
      "INT64", "STRING",  "BOOL",       "FLOAT16",      "FLOAT64",        "UINT32",     "UINT64",
      "",      "",        "BFLOAT16",   "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
      "UINT4", "INT4",    "FLOAT4E2M1", "FLOAT8E8M0",   "UINT2",          "INT2"};
  static_assert(std::size(names) == CAMEO_INT2 + 1);
  return names[type];
}

std::string integerLiteral(int64_t value) {
  return value == INT64_MIN ? "INT64_MIN" : "INT64_C(" + std::to_string(value) + ")";
}

} // namespace cameo
