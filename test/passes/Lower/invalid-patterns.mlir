// RUN: cameo-opt %s --lower-to-linalg -verify-diagnostics -split-input-file
// Patterns that are none of RE2's syntax, or not supported.

task.def @closed_only(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got ')' without '('}}
  %0 = onnx.RegexFullMatch %x {pattern = "a)"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @opened_only(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got '(' without ')'}}
  %0 = onnx.RegexFullMatch %x {pattern = "(a"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @flags_opened_only(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got '(' without ')'}}
  %0 = onnx.RegexFullMatch %x {pattern = "(?i:a"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @bracket_opened_only(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got '[' without ']'}}
  %0 = onnx.RegexFullMatch %x {pattern = "[a"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @nothing_repeated(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a repetition of nothing at '*a'}}
  %0 = onnx.RegexFullMatch %x {pattern = "*a"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @flag_repeated(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a repetition of nothing}}
  %0 = onnx.RegexFullMatch %x {pattern = "(?i)*"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @repeated_twice(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a repetition of a repetition}}
  %0 = onnx.RegexFullMatch %x {pattern = "a**"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @repeated_too_often(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a repetition of 5 to 2 times}}
  %0 = onnx.RegexFullMatch %x {pattern = "a{5,2}"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @group_without_name(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a group without a valid name}}
  %0 = onnx.RegexFullMatch %x {pattern = "(?P<>a)"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @looks_ahead(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a group of an unknown kind: RE2 has no lookaround, and no flags other than i, m, s and U}}
  %0 = onnx.RegexFullMatch %x {pattern = "a(?=b)"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @ends_in_backslash(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a backslash at the end}}
  %0 = onnx.RegexFullMatch %x {pattern = "a\\"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @half_a_byte(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got \x without two hexadecimal digits, or some in braces}}
  %0 = onnx.RegexFullMatch %x {pattern = "\\x1"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @unicode_class(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a Unicode class, which is not supported: name its code points}}
  %0 = onnx.RegexFullMatch %x {pattern = "\\pN"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @unknown_class(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got an unknown class of characters in '[:'}}
  %0 = onnx.RegexFullMatch %x {pattern = "[[:vowel:]]"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @backward_range(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got a range of characters that ends before it begins}}
  %0 = onnx.RegexFullMatch %x {pattern = "[z-a]"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @no_utf8(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got bytes that are not UTF-8}}
  %0 = onnx.RegexFullMatch %x {pattern = "\FF"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}
