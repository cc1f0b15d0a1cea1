// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of #onnx.dims.

// expected-error@+1 {{expected one dimension name per dimension, got 1 names for rank 2}}
func.func private @dims_c1(tensor<?x3xf32, #onnx.dims<["batch"]>>)

// -----

// expected-error@+1 {{expected a static dimension to have no name, got "three"}}
func.func private @dims_c2(tensor<?x3xf32, #onnx.dims<["batch", "three"]>>)
