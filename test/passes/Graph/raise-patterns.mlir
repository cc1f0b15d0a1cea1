// RUN: cameo-opt %s --raise-patterns | FileCheck %s

// CHECK-LABEL: @layer_norm
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = onnx.LayerNormalization %arg0, %arg1, %arg2 {axis = 2 : i64, epsilon = 9.99999996E-13 : f32}
// CHECK-NEXT: return %[[Y]]
func.func @layer_norm(%x: tensor<1x8x16xf32>, %gamma: tensor<16xf32>, %beta: tensor<16xf32>) -> tensor<1x8x16xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %epsilon = onnx.Constant {value = dense<1.0e-12> : tensor<f32>} : tensor<f32>
  %mean = onnx.ReduceMean %x, %axes : (tensor<1x8x16xf32>, tensor<1xi64>) -> tensor<1x8x1xf32>
  %d = onnx.Sub %x, %mean : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
  %square = onnx.Pow %d, %two : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8x16xf32>
  %variance = onnx.ReduceMean %square, %axes : (tensor<1x8x16xf32>, tensor<1xi64>) -> tensor<1x8x1xf32>
  %sum = onnx.Add %variance, %epsilon : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<1x8x1xf32>
  %root = onnx.Sqrt %sum : (tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  %norm = onnx.Div %d, %root : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
  %scaled = onnx.Mul %norm, %gamma : (tensor<1x8x16xf32>, tensor<16xf32>) -> tensor<1x8x16xf32>
  %0 = onnx.Add %scaled, %beta : (tensor<1x8x16xf32>, tensor<16xf32>) -> tensor<1x8x16xf32>
  return %0 : tensor<1x8x16xf32>
}

// CHECK-LABEL: @layer_norm_of_dynamic_rows
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = onnx.LayerNormalization %arg0, %arg1, %arg2 {axis = 2 : i64
// CHECK-NEXT: return %[[Y]]
func.func @layer_norm_of_dynamic_rows(%x: tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, %gamma: tensor<16xf32>, %beta: tensor<16xf32>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %epsilon = onnx.Constant {value = dense<1.0e-12> : tensor<f32>} : tensor<f32>
  %mean = onnx.ReduceMean %x, %axes : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<1xi64>) -> tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>
  %d = onnx.Sub %x, %mean : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
  %square = onnx.Mul %d, %d : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
  %variance = onnx.ReduceMean %square, %axes : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<1xi64>) -> tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>
  %sum = onnx.Add %variance, %epsilon : (tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>, tensor<f32>) -> tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>
  %root = onnx.Sqrt %sum : (tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>
  %norm = onnx.Div %d, %root : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
  %scaled = onnx.Mul %norm, %gamma : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<16xf32>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
  %0 = onnx.Add %scaled, %beta : (tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>, tensor<16xf32>) -> tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
  return %0 : tensor<?x?x16xf32, #onnx.dims<["b", "s", ""]>>
}

// CHECK-LABEL: @rms_norm
// CHECK: %[[Y:.*]] = onnx.RMSNormalization %arg0, %arg1 {axis = 1 : i64, epsilon = 9.99999997E-7 : f32}
// CHECK-NEXT: return %[[Y]]
func.func @rms_norm(%x: tensor<8x16xf32>, %gamma: tensor<16xf32>) -> tensor<8x16xf32> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %epsilon = onnx.Constant {value = dense<1.0e-6> : tensor<f32>} : tensor<f32>
  %square = onnx.Mul %x, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %mean = onnx.ReduceMean %square, %axes : (tensor<8x16xf32>, tensor<1xi64>) -> tensor<8x1xf32>
  %sum = onnx.Add %mean, %epsilon : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %root = onnx.Sqrt %sum : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %inverse = onnx.Reciprocal %root : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %norm = onnx.Mul %x, %inverse : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %0 = onnx.Mul %gamma, %norm : (tensor<16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The mean is over another axis than the innermost.
// CHECK-LABEL: @other_axis_stays
// CHECK-NOT: Normalization
func.func @other_axis_stays(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %epsilon = onnx.Constant {value = dense<1.0e-6> : tensor<f32>} : tensor<f32>
  %square = onnx.Mul %x, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %mean = onnx.ReduceMean %square, %axes : (tensor<8x16xf32>, tensor<1xi64>) -> tensor<1x16xf32>
  %sum = onnx.Add %mean, %epsilon : (tensor<1x16xf32>, tensor<f32>) -> tensor<1x16xf32>
  %root = onnx.Sqrt %sum : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %norm = onnx.Div %x, %root : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  return %norm : tensor<8x16xf32>
}

// CHECK-LABEL: @erf_gelu
// CHECK: %[[Y:.*]] = onnx.Gelu %arg0 : (tensor<4xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @erf_gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %0 = onnx.Div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = onnx.Mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = onnx.Mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: @erf_gelu_with_factors_in_another_order
// CHECK: onnx.Gelu %arg0 : (tensor<4xf32>)
func.func @erf_gelu_with_factors_in_another_order(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<0.707106769> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %0 = onnx.Mul %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Add %one, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = onnx.Mul %half, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = onnx.Mul %3, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: @tanh_gelu
// CHECK: onnx.Gelu %arg0 {approximate = "tanh"}
func.func @tanh_gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %cubic = onnx.Constant {value = dense<0.044715> : tensor<f32>} : tensor<f32>
  %outer = onnx.Constant {value = dense<0.797884583> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %0 = onnx.Pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Mul %0, %cubic : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = onnx.Add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = onnx.Mul %2, %outer : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = onnx.Tanh %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = onnx.Add %4, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = onnx.Mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = onnx.Mul %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// A constant is the half that is nearest to the number.
// CHECK-LABEL: @tanh_gelu_of_halves
// CHECK: onnx.Gelu %arg0 {approximate = "tanh"} : (tensor<4xf16>)
func.func @tanh_gelu_of_halves(%x: tensor<4xf16>) -> tensor<4xf16> {
  %cubic = onnx.Constant {value = dense<0.044708> : tensor<f16>} : tensor<f16>
  %outer = onnx.Constant {value = dense<0.797852> : tensor<f16>} : tensor<f16>
  %one = onnx.Constant {value = dense<1.0> : tensor<f16>} : tensor<f16>
  %half = onnx.Constant {value = dense<0.5> : tensor<f16>} : tensor<f16>
  %0 = onnx.Mul %x, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %1 = onnx.Mul %0, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %2 = onnx.Mul %1, %cubic : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %3 = onnx.Add %x, %2 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %4 = onnx.Mul %3, %outer : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %5 = onnx.Tanh %4 : (tensor<4xf16>) -> tensor<4xf16>
  %6 = onnx.Add %5, %one : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %7 = onnx.Mul %x, %half : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %8 = onnx.Mul %7, %6 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %8 : tensor<4xf16>
}

// CHECK-LABEL: @erf_gelu_of_brain_floats
// CHECK: onnx.Gelu %arg0 : (tensor<4xbf16>)
func.func @erf_gelu_of_brain_floats(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %root = onnx.Constant {value = dense<1.4140625> : tensor<bf16>} : tensor<bf16>
  %one = onnx.Constant {value = dense<1.0> : tensor<bf16>} : tensor<bf16>
  %half = onnx.Constant {value = dense<0.5> : tensor<bf16>} : tensor<bf16>
  %0 = onnx.Div %x, %root : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %1 = onnx.Erf %0 : (tensor<4xbf16>) -> tensor<4xbf16>
  %2 = onnx.Add %1, %one : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %3 = onnx.Mul %x, %2 : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %4 = onnx.Mul %3, %half : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %4 : tensor<4xbf16>
}

// In double precision the constant of a single is another number.
// CHECK-LABEL: @single_divisor_of_doubles
// CHECK-NOT: onnx.Gelu
// CHECK: return
func.func @single_divisor_of_doubles(%x: tensor<4xf64>) -> tensor<4xf64> {
  %root = onnx.Constant {value = dense<1.4142135> : tensor<f64>} : tensor<f64>
  %one = onnx.Constant {value = dense<1.0> : tensor<f64>} : tensor<f64>
  %half = onnx.Constant {value = dense<0.5> : tensor<f64>} : tensor<f64>
  %0 = onnx.Div %x, %root : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %1 = onnx.Erf %0 : (tensor<4xf64>) -> tensor<4xf64>
  %2 = onnx.Add %1, %one : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %3 = onnx.Mul %x, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %4 = onnx.Mul %3, %half : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}

// In single precision the constant of a half is another number.
// CHECK-LABEL: @another_divisor
// CHECK-NOT: onnx.Gelu
// CHECK: return
func.func @another_divisor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.4140625> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %0 = onnx.Div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = onnx.Mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = onnx.Mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: @swish
// CHECK: %[[Y:.*]] = onnx.Swish %arg0 : (tensor<4xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @swish_with_factor
// CHECK: onnx.Swish %arg0 {alpha = 1.702000e+00 : f32}
func.func @swish_with_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = onnx.Constant {value = dense<1.702> : tensor<f32>} : tensor<f32>
  %0 = onnx.Mul %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Sigmoid %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Mul %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A gate from elsewhere, as in squeeze-excite, is no Swish.
// CHECK-LABEL: @foreign_gate_stays
// CHECK: onnx.Sigmoid
// CHECK: onnx.Mul
func.func @foreign_gate_stays(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Sigmoid %y : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @hard_swish
// CHECK: onnx.HardSwish %arg0
func.func @hard_swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %six = onnx.Constant {value = dense<6.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Add %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Clip %0, %zero, %six : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = onnx.Mul %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = onnx.Div %2, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: @hard_sigmoid
// CHECK: onnx.HardSigmoid %arg0 {alpha = 0.166666672 : f32}
func.func @hard_sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %six = onnx.Constant {value = dense<6.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Add %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Clip %0, %zero, %six : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = onnx.Div %1, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @mish
// CHECK: onnx.Mish %arg0
func.func @mish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Softplus %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Tanh %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Mul %1, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
