// RUN: cameo-opt %s -verify-diagnostics -split-input-file --join-variants

// expected-error @below {{expected a variant of a task.def that is none itself, got @nowhere}}
task.def @variant_c1_nothing(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @nowhere, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected a variant of a task.def that is none itself, got @variant_c1_itself}}
task.def @variant_c1_itself(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @variant_c1_itself, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected a variant of a task.def that is none itself, got 4}}
task.def @variant_c1_kind(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = 4, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_missing(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_none(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = []} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_negative(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, -1, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_order(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, 9, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_size(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [["n", 0, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_count(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected ranges as [#dim.expr<"n">, 0, 8] or without the upper bound, each of a different size, because it is a variant}}
task.def @variant_c2_twice(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, 0, 8], [#dim.expr<"n">, 16]]} {
  task.return %x : tensor<4xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected the types of @task, '(tensor<4xf32>) -> tensor<4xf32>'}}
task.def @variant_c3(%x: tensor<2xf32>) -> tensor<2xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<2xf32>
}

// -----

task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
task.def @other(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<4xf32>
}
// expected-error @below {{expected a range of sizes that does not overlap with that of @other}}
task.def @variant_c4(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"m">, 0, 8], [#dim.expr<"n">, 8]]} {
  task.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected a task in buffer form, because it has variants}}
task.def @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
task.def @variant(%x: tensor<4xf32>) -> tensor<4xf32> attributes {variant_of = @task, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.return %x : tensor<4xf32>
}
