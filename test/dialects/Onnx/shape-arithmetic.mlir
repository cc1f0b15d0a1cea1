// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Shapes that models compute from named dimensions: the ways of exporters.

// x.view(x.size(0), -1, 8, 8)
// CHECK-LABEL: @split_heads
// CHECK: return {{.*}} : tensor<?x?x8x8xf32, #onnx.dims<["batch", "seq", "", ""]>>
func.func @split_heads(%x: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<*xf32> {
  %zero = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %rest = onnx.Constant {value = dense<[-1, 8, 8]> : tensor<3xi64>} : tensor<3xi64>
  %shape = onnx.Shape %x : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<3xi64>
  %batch = onnx.Gather %shape, %zero : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %vector = onnx.Unsqueeze %batch, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Concat %vector, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<3xi64>) -> tensor<4xi64>
  %0 = onnx.Reshape %x, %all : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Half of the channels, by a division of a size that is known though the batch is not.
// CHECK-LABEL: @half_of_a_static_size
// CHECK: return {{.*}} : tensor<?x32xf32, #onnx.dims<["batch", ""]>>
func.func @half_of_a_static_size(%x: tensor<?x64xf32, #onnx.dims<["batch", ""]>>) -> tensor<*xf32> {
  %none = onnx.None
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x : (tensor<?x64xf32, #onnx.dims<["batch", ""]>>) -> tensor<2xi64>
  %size = onnx.Slice %shape, %one, %two, %zero, %none
      : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1xi64>
  %half = onnx.Div %size, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.Slice %x, %zero, %half, %one, %none
      : (tensor<?x64xf32, #onnx.dims<["batch", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// torch.arange(seq), then positions + past.
// CHECK-LABEL: @positions
// CHECK: return {{.*}} : tensor<?xi64, #onnx.dims<["seq"]>>
func.func @positions(%x: tensor<1x?xi64, #onnx.dims<["", "seq"]>>,
                     %cache: tensor<1x?x8xf32, #onnx.dims<["", "past", ""]>>) -> tensor<*xi64> {
  %one = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %shape = onnx.Shape %x : (tensor<1x?xi64, #onnx.dims<["", "seq"]>>) -> tensor<2xi64>
  %seq = onnx.Gather %shape, %one : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %cached = onnx.Shape %cache : (tensor<1x?x8xf32, #onnx.dims<["", "past", ""]>>) -> tensor<3xi64>
  %past = onnx.Gather %cached, %one : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %end = onnx.Add %past, %seq : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %0 = onnx.Range %past, %end, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// The causal mask of a decoder: rows past to past + seq of a static triangle.
// CHECK-LABEL: @causal_mask
// CHECK: return {{.*}} : tensor<?x?xi1, #onnx.dims<["seq", "past + seq"]>>
func.func @causal_mask(%x: tensor<?xf32, #onnx.dims<["seq"]>>, %cache: tensor<?xf32, #onnx.dims<["past"]>>,
                       %mask: tensor<1024x1024xi1>) -> tensor<*xi1> {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %seq = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["seq"]>>) -> tensor<1xi64>
  %past = onnx.Shape %cache : (tensor<?xf32, #onnx.dims<["past"]>>) -> tensor<1xi64>
  %all = onnx.Add %past, %seq : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %begin = onnx.Sub %all, %seq : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rows = onnx.Slice %mask, %begin, %all, %zero, %none
      : (tensor<1024x1024xi1>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xi1>
  %0 = onnx.Slice %rows, %zero, %all, %one, %none
      : (tensor<*xi1>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// x.expand(batch, -1): -1 means "as it is", which exporters express by Equal and Where.
// CHECK-LABEL: @expand_with_minus_one
// CHECK: return {{.*}} : tensor<?x64xf32, #onnx.dims<["batch", ""]>>
func.func @expand_with_minus_one(%x: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %token: tensor<1x64xf32>) -> tensor<*xf32> {
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %minus = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %marker = onnx.Constant {value = dense<-1> : tensor<2xi64>} : tensor<2xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x {end = 1 : i64} : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>) -> tensor<1xi64>
  %asked = onnx.Concat %shape, %minus {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %ones = onnx.ConstantOfShape %two {value = dense<1> : tensor<1xi64>} : (tensor<1xi64>) -> tensor<2xi64>
  %open = onnx.Equal %asked, %marker : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %sizes = onnx.Where %open, %ones, %asked : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %0 = onnx.Expand %token, %sizes : (tensor<1x64xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The sum of the repeats of rows, of which one is a size, and a product from the last element on.
// CHECK-LABEL: @accumulated_sizes
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["n + 5"]>>, tensor<6x6x3xf32>, tensor<0x2x5xf32>
func.func @accumulated_sizes(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %repeats = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %size = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %all = onnx.Concat %repeats, %size {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %ends = onnx.CumSum %all, %axis : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %end = onnx.Gather %ends, %last {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.ConstantOfShape %end : (tensor<1xi64>) -> tensor<*xf32>
  %factors = onnx.Constant {value = dense<[1, 2, 3]> : tensor<3xi64>} : tensor<3xi64>
  %products = onnx.CumProd %factors, %axis {reverse = 1 : i64} : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %1 = onnx.ConstantOfShape %products : (tensor<3xi64>) -> tensor<*xf32>
  %numbers = onnx.Constant {value = dense<[2, 3, 4]> : tensor<3xi64>} : tensor<3xi64>
  %starts = onnx.CumSum %numbers, %axis {exclusive = 1 : i64} : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %2 = onnx.ConstantOfShape %starts : (tensor<3xi64>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// Upsampling by a factor, computed with floats.
// CHECK-LABEL: @scaled_size
// CHECK: return {{.*}} : tensor<1x3x12x15xf32>
func.func @scaled_size(%x: tensor<1x3x8x10xf32>) -> tensor<*xf32> {
  %none = onnx.None
  %factor = onnx.Constant {value = dense<1.5> : tensor<f32>} : tensor<f32>
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x : (tensor<1x3x8x10xf32>) -> tensor<4xi64>
  %spatial = onnx.Slice %shape, %two, %four, %axes, %none
      : (tensor<4xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<2xi64>
  %outer = onnx.Shape %x {end = 2 : i64} : (tensor<1x3x8x10xf32>) -> tensor<2xi64>
  %real = onnx.Cast %spatial {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>
  %scaled = onnx.Mul %real, %factor : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %floor = onnx.Floor %scaled : (tensor<2xf32>) -> tensor<2xf32>
  %size = onnx.Cast %floor {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  %sizes = onnx.Concat %outer, %size {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  %0 = onnx.Resize %x, %none, %none, %sizes : (tensor<1x3x8x10xf32>, none, none, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The same of names: factors that are fractions, rounded down, up, or towards zero.
// CHECK-LABEL: @scaled_names
// CHECK: return {{.*}} : tensor<?x?xf32, #onnx.dims<["floor((3*h)/2)", "floor((3*w)/2)"]>>, tensor<?x?xf32, #onnx.dims<["floor((h + 7)/8)", "2*h"]>>
func.func @scaled_names(%x: tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %zero = onnx.Constant {value = dense<0.0> : tensor<1x1xf32>} : tensor<1x1xf32>
  %factor = onnx.Constant {value = dense<1.5> : tensor<f32>} : tensor<f32>
  %patch = onnx.Constant {value = dense<8.0> : tensor<1xf32>} : tensor<1xf32>
  %half = onnx.Constant {value = dense<0.5> : tensor<1xf32>} : tensor<1xf32>
  %shape = onnx.Shape %x : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<2xi64>
  %reals = onnx.Cast %shape {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>
  %scaled = onnx.Mul %factor, %reals : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %floor = onnx.Floor %scaled : (tensor<2xf32>) -> tensor<2xf32>
  %sizes = onnx.Cast %floor {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  %0 = onnx.Expand %zero, %sizes : (tensor<1x1xf32>, tensor<2xi64>) -> tensor<*xf32>
  %first = onnx.Shape %x {end = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<1xi64>
  %real = onnx.Cast %first {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %divided = onnx.Div %real, %patch : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %ceil = onnx.Ceil %divided : (tensor<1xf32>) -> tensor<1xf32>
  %patches = onnx.Cast %ceil {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  %doubled = onnx.Div %real, %half : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %rows = onnx.Cast %doubled {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  %both = onnx.Concat %patches, %rows {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %1 = onnx.Expand %zero, %both : (tensor<1x1xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// Factors that are no such fractions: what each run rounds, in the type that the model computes in.
// CHECK-LABEL: @scaled_names_by_other_factors
// CHECK: return {{.*}} : tensor<?x?x?x?xf32, #onnx.dims<["floor(float(h)*1.3)", "0 - floor(float(0 - h)*1.3)", "floor(double(h)*0.123456789)", "floor(float(h)*1.3)"]>>
func.func @scaled_names_by_other_factors(%x: tensor<?xf32, #onnx.dims<["h"]>>) -> tensor<*xf32> {
  %zero = onnx.Constant {value = dense<0.0> : tensor<1xf32>} : tensor<1xf32>
  %factor = onnx.Constant {value = dense<1.3> : tensor<f32>} : tensor<f32>
  %other = onnx.Constant {value = dense<0.123456789> : tensor<f64>} : tensor<f64>
  %shape = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["h"]>>) -> tensor<1xi64>
  %real = onnx.Cast %shape {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %scaled = onnx.Mul %real, %factor : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %floor = onnx.Floor %scaled : (tensor<1xf32>) -> tensor<1xf32>
  %ceil = onnx.Ceil %scaled : (tensor<1xf32>) -> tensor<1xf32>
  %wide = onnx.Cast %shape {to = 11 : i64} : (tensor<1xi64>) -> tensor<1xf64>
  %product = onnx.Mul %wide, %other : (tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
  %a = onnx.Cast %floor {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  %b = onnx.Cast %ceil {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  %c = onnx.Cast %product {to = 7 : i64} : (tensor<1xf64>) -> tensor<1xi64>
  %d = onnx.Cast %scaled {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  %sizes = onnx.Concat %a, %b, %c, %d {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %0 = onnx.Expand %zero, %sizes : (tensor<1xf32>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// An image inside a frame: the lesser of two scales, each a float.
// CHECK-LABEL: @least_scale
// CHECK: return {{.*}} : tensor<32x64xf32>
func.func @least_scale(%x: tensor<40x80xf32>) -> tensor<*xf32> {
  %none = onnx.None
  %side = onnx.Constant {value = dense<64.0> : tensor<f32>} : tensor<f32>
  %shape = onnx.Shape %x : (tensor<40x80xf32>) -> tensor<2xi64>
  %real = onnx.Cast %shape {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>
  %scales = onnx.Div %side, %real : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %scale = onnx.ReduceMin %scales, %none : (tensor<2xf32>, none) -> tensor<1xf32>
  %scaled = onnx.Mul %real, %scale : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %floor = onnx.Floor %scaled : (tensor<2xf32>) -> tensor<2xf32>
  %sizes = onnx.Cast %floor {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  %0 = onnx.Resize %x, %none, %none, %sizes : (tensor<40x80xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// A declared size is kept where inference cannot tell, and does not overrule it where it can.
// CHECK-LABEL: @declared_sizes
// CHECK: onnx.NonZero {{.*}} -> tensor<2x5xi64>
func.func @declared_sizes(%x: tensor<3x4xf32>) -> tensor<2x5xi64> {
  %0 = onnx.NonZero %x : (tensor<3x4xf32>) -> tensor<2x5xi64>
  return %0 : tensor<2x5xi64>
}

// The elements of a volume whose sizes are sums of three terms each: 27 products have a name, and so memory of a size that is known.
// CHECK-LABEL: @volume
// CHECK: onnx.Reshape {{.*}} -> tensor<?xf32, #onnx.dims<["{{([^+]+\+ ){26}[^+]+}}"]>>
func.func @volume(%x: tensor<?x?x?xf32, #onnx.dims<["a + b + c", "d + e + f", "g + h + i"]>>) -> tensor<*xf32> {
  %flat = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %flat : (tensor<?x?x?xf32, #onnx.dims<["a + b + c", "d + e + f", "g + h + i"]>>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The best hundred, or all.
// CHECK-LABEL: @best_of_those_there
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["min(n - 100, 0) + 100"]>>
func.func @best_of_those_there(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<*xf32> {
  %hundred = onnx.Constant {value = dense<100> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %k = onnx.Min %shape, %hundred : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %values, %indices = onnx.TopK %x, %k : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return %values : tensor<*xf32>
}

// The same as a minimum over a vector, as torchvision writes it.
// CHECK-LABEL: @best_of_those_there_by_a_reduction
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["min(n - 100, 0) + 100"]>>, tensor<?xf32, #onnx.dims<["n - min(n - 100, 0)"]>>
func.func @best_of_those_there_by_a_reduction(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0.0> : tensor<1xf32>} : tensor<1xf32>
  %hundred = onnx.Constant {value = dense<100> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %both = onnx.Concat %shape, %hundred {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %least = onnx.ReduceMin %both, %none : (tensor<2xi64>, none) -> tensor<1xi64>
  %most = onnx.ReduceMax %both, %none : (tensor<2xi64>, none) -> tensor<1xi64>
  %values, %indices = onnx.TopK %x, %least : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  %0 = onnx.Expand %zero, %most : (tensor<1xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %values, %0 : tensor<*xf32>, tensor<*xf32>
}

// One of two names: one spelling in either order; the greater of both is their sum without the lesser.
// CHECK-LABEL: @lesser_and_greater
// CHECK: return {{.*}} : tensor<?x?x?xf32, #onnx.dims<["a + min(b - a, 0)", "a + min(b - a, 0)", "b - min(b - a, 0)"]>>
func.func @lesser_and_greater(%x: tensor<?x?xf32, #onnx.dims<["a", "b"]>>) -> tensor<*xf32> {
  %zero = onnx.Constant {value = dense<0.0> : tensor<1xf32>} : tensor<1xf32>
  %a = onnx.Shape %x {end = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["a", "b"]>>) -> tensor<1xi64>
  %b = onnx.Shape %x {start = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["a", "b"]>>) -> tensor<1xi64>
  %lesser = onnx.Min %a, %b : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %same = onnx.Min %b, %a : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %greater = onnx.Max %a, %b : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %sizes = onnx.Concat %lesser, %same, %greater {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Expand %zero, %sizes : (tensor<1xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The same of sizes that the run chooses, nearest whole numbers, and a frame around it.
// CHECK-LABEL: @image_in_a_frame
// CHECK: onnx.Resize {{.*}} -> tensor<?x?xf32, #onnx.dims<["floor(round(float(h)*min(64/float(h), 64/float(w))))", "floor(round(float(w)*min(64/float(h), 64/float(w))))"]>>
// CHECK: return {{.*}} : tensor<64x64xf32>
func.func @image_in_a_frame(%x: tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<*xf32> {
  %none = onnx.None
  %zeros = onnx.Constant {value = dense<0> : tensor<2xi64>} : tensor<2xi64>
  %frame = onnx.Constant {value = dense<64> : tensor<2xi64>} : tensor<2xi64>
  %side = onnx.Constant {value = dense<64.0> : tensor<f32>} : tensor<f32>
  %shape = onnx.Shape %x : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<2xi64>
  %real = onnx.Cast %shape {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>
  %scales = onnx.Div %side, %real : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %scale = onnx.ReduceMin %scales, %none : (tensor<2xf32>, none) -> tensor<1xf32>
  %scaled = onnx.Mul %real, %scale : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %round = onnx.Round %scaled : (tensor<2xf32>) -> tensor<2xf32>
  %sizes = onnx.Cast %round {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  %image = onnx.Resize %x, %none, %none, %sizes : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>, none, none, tensor<2xi64>) -> tensor<*xf32>
  %rest = onnx.Sub %frame, %sizes : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %pads = onnx.Concat %zeros, %rest {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  %0 = onnx.Pad %image, %pads, %none, %none : (tensor<*xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Padding to a multiple of 8.
// CHECK-LABEL: @padded_to_a_multiple
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["8*floor((h + 7)/8)"]>>
func.func @padded_to_a_multiple(%x: tensor<?xf32, #onnx.dims<["h"]>>) -> tensor<*xf32> {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %eight = onnx.Constant {value = dense<8> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["h"]>>) -> tensor<1xi64>
  %missing = onnx.Neg %shape : (tensor<1xi64>) -> tensor<1xi64>
  %pad = onnx.Mod %missing, %eight : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %pads = onnx.Concat %zero, %pad {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Pad %x, %pads, %none, %none : (tensor<?xf32, #onnx.dims<["h"]>>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// How often a plane is in a sequence of some, and what is left over.
// CHECK-LABEL: @planes_in_a_sequence
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["floor((n)/(p))"]>>, tensor<?xf32, #onnx.dims<["n - floor((n)/(p))*p"]>>
func.func @planes_in_a_sequence(%x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["p"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %value = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %n = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %p = onnx.Shape %y : (tensor<?xf32, #onnx.dims<["p"]>>) -> tensor<1xi64>
  %times = onnx.Div %n, %p : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = onnx.Mod %n, %p : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.Expand %value, %times : (tensor<f32>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Expand %value, %rest : (tensor<f32>, tensor<1xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// The shift of relative positions: rows of 2n columns are read as rows of n, a division of sums.
// CHECK-LABEL: @shifted_positions
// CHECK: return {{.*}} : tensor<?x?x?xf32, #onnx.dims<["b", "2*a + 2", "a + 1"]>>
func.func @shifted_positions(%x: tensor<?x?x?xf32, #onnx.dims<["b", "a + 1", "2*a + 2"]>>) -> tensor<*xf32> {
  %open = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %batch = onnx.Shape %x {end = 1 : i64} : (tensor<?x?x?xf32, #onnx.dims<["b", "a + 1", "2*a + 2"]>>) -> tensor<1xi64>
  %rows = onnx.Shape %x {end = 2 : i64, start = 1 : i64} : (tensor<?x?x?xf32, #onnx.dims<["b", "a + 1", "2*a + 2"]>>) -> tensor<1xi64>
  %shape = onnx.Concat %batch, %open, %rows {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<?x?x?xf32, #onnx.dims<["b", "a + 1", "2*a + 2"]>>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// torch.nn.functional.pad: pairs from the last axis on, turned around as rows of a matrix.
// CHECK-LABEL: @pads_of_pytorch
// CHECK: return {{.*}} : tensor<?x?xf32, #onnx.dims<["n", "m + 7"]>>
func.func @pads_of_pytorch(%x: tensor<?x?xf32, #onnx.dims<["n", "m"]>>) -> tensor<*xf32> {
  %none = onnx.None
  %pairs = onnx.Constant {value = dense<[[3, 4], [0, 0]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %turned = onnx.Slice %pairs, %last, %end, %axis, %last : (tensor<2x2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi64>
  %columns = onnx.Transpose %turned {perm = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %pads = onnx.Reshape %columns, %last : (tensor<2x2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %0 = onnx.Pad %x, %pads, %none, %none {mode = "reflect"} : (tensor<?x?xf32, #onnx.dims<["n", "m"]>>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Axes that are left out, steps and ends that are clamped.
// CHECK-LABEL: @slices_of_a_known_matrix
// CHECK: return {{.*}} : tensor<6x4xf32>
func.func @slices_of_a_known_matrix(%x: tensor<24xf32>) -> tensor<*xf32> {
  %none = onnx.None
  %sizes = onnx.Constant {value = dense<[[9, 8, 7], [6, 5, 4]]> : tensor<2x3xi64>} : tensor<2x3xi64>
  %starts = onnx.Constant {value = dense<[1, 0]> : tensor<2xi64>} : tensor<2xi64>
  %ends = onnx.Constant {value = dense<[100, 3]> : tensor<2xi64>} : tensor<2xi64>
  %steps = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %part = onnx.Slice %sizes, %starts, %ends, %none, %steps : (tensor<2x3xi64>, tensor<2xi64>, tensor<2xi64>, none, tensor<2xi64>) -> tensor<1x2xi64>
  %shape = onnx.Reshape %part, %last : (tensor<1x2xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<24xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
