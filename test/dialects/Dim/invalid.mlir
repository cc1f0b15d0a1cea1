// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of #dim.expr.

// expected-error @below {{expected an expression over dimension names, got "4"}}
func.func private @expr_c1() attributes {a = #dim.expr<"4">}

// -----

// expected-error @below {{expected an expression over dimension names, got "n - n"}}
func.func private @expr_c1_nothing_left() attributes {a = #dim.expr<"n - n">}

// -----

// expected-error @below {{expected an expression over dimension names, got ""}}
func.func private @empty() attributes {a = #dim.expr<"">}

// -----

// expected-error @below {{expected an expression over dimension names, got "9223372036854775807*2*n"}}
func.func private @beyond_64_bits() attributes {a = #dim.expr<"9223372036854775807*2*n">}

// -----

// expected-error @below {{expected an expression over dimension names, got "floor((n)/0)"}}
func.func private @quotient_by_0() attributes {a = #dim.expr<"floor((n)/0)">}
