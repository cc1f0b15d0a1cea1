// Passes on the onnx graph that are valid for all targets. passes/Pipeline defines their order, and README.md gives the
// reasons.
#ifndef CAMEO_PASSES_GRAPH_PASSES_TD
#define CAMEO_PASSES_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def BoundKeysPass : Pass<"bound-keys", "::mlir::func::FuncOp"> {
  let summary = "Limit attention to the rows of a cache that are valid";
  let description = [{
    Attention with a length per batch entry (`nonpad_kv_seqlen`) only reads the rows of the cache that are valid for the
    longest entry. Keys, values and the mask are sliced to a size that each run counts. Nodes with the same lengths
    share this size. Later rows would have no weight.

    ```mlir
    %y = onnx.Attention %q, %k, %v, %none, %none, %none, %lengths : ... tensor<1x4x8192x64xf32> ...
    ```
    reads `onnx.Slice %k` of `tensor<1x4x?x64xf32, #onnx.dims<["", "", "main.keys.0", ""]>>`.

    The pass does not change nodes with few rows or with less than twice as many rows as queries, caches that the run
    itself extends, and nodes whose scores are a result.

    Requires: inferred shapes, and common subexpressions eliminated. The target must support sizes that a run counts,
    which GPUs do not.
  }];
}

def CancelTransposesPass : Pass<"cancel-transposes", "::mlir::func::FuncOp"> {
  let summary = "Merge, move and remove transposes";
  let description = [{
    Two consecutive transposes become one. A transpose that only moves dimensions of size 1 becomes a reshape. A
    transpose after an elementwise operation moves before it if it then meets another transpose.

    ```mlir
    %0 = onnx.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : ...
    %1 = onnx.Relu %0 : ...
    %2 = onnx.Transpose %1 {perm = array<i64: 0, 3, 1, 2>} : ...
    ```
    becomes `onnx.Relu %x`.

    Requires: inferred shapes. Ensures: no transpose has a transpose as its operand.
  }];
}

def CheckReadShapesPass : Pass<"check-read-shapes", "::mlir::func::FuncOp"> {
  let summary = "Check at run time that data gives the stated shapes";
  let description = [{
    If an operator reads axes, sizes or repeats at run time, the shape of its result is the one that the model states,
    and memory is planned for it. After such an operator, this pass inserts a check that compares the stated shape with
    the data. The check is a count of the rows of the result. If the shapes differ, the count is -1, which ends the run.

    ```mlir
    %0:2 = onnx.TopK %x, %k : (tensor<9xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi64>)
    ```
    is followed by `onnx.Prefix %0#0, %count` and an `onnx.Reshape` to `tensor<3xf32>`, where `%count` is 3 if `%k` is
    3, otherwise -1.

    With `compare-all`, an axis that does not change a shape (CumSum, CumProd) is compared with the rank in the same
    way, and a vector of dynamic length with the length that the operator requires. GPUs do not support counts and would
    refuse such a model, so this option is off for them.

    Requires: the operators as imported, with inferred shapes. Operands that are known at compile time need no check.
  }];
  let options = [
    Option<"comparesAll", "compare-all", "bool", "true",
           "Also compare axes that do not change a shape, and vectors of dynamic length">
  ];
}

def CheckSizesPass : Pass<"check-sizes", "::mlir::ModuleOp"> {
  let summary = "Refuse sizes that are unknown when a run needs them";
  let description = [{
    Emits an error for each input and each node that introduces a size which is known neither at compile time nor at the
    begin of a run, and which no node computes.

    Requires: folded constants, and nodes that are not yet part of tasks: the pass runs after the passes of this folder
    and before passes/Partition.
  }];
}

def DecomposeOpsPass : Pass<"decompose-ops", "::mlir::func::FuncOp"> {
  let summary = "Replace compound operations by simpler ones";
  let description = [{
    Reduces the number of forms that later passes must handle:

    - Windows (convolution, pooling) have explicit `kernel_shape`, `strides`, `dilations` and `pads`, and no `auto_pad`.
    - Pad by amounts that follow from dynamic sizes becomes Concat.
    - Operations that only change a shape become Reshape. Split becomes several Slices. DepthToSpace and SpaceToDepth
      become reshapes around a Transpose.
    - Einsum has at most two operands.
    - Hardmax compares places with the result of ArgMax.
    - Gemm has no factors, and no transposed operand that is a constant.
    - Reductions keep their dimensions. Sum, Mean, Max and Min have two operands.
    - Attention becomes products around a Softmax, RotaryEmbedding products and sums, and CausalConvWithState a
      convolution of its past and its input.
    - ConvTranspose with more than 64 elements in a stride becomes a convolution whose channels these elements are.
    - DFT and STFT of known length become products with matrices of cosines and sines, one for each factor of the length.
    - NonZero, Compress, Unique and NonMaxSuppression become an operation that counts, a Prefix of its result, Gather
      and Transpose.

    ```mlir
    %0:2 = onnx.Split %x, %none {axis = 1 : i64, num_outputs = 2 : i64} : ...
    ```
    becomes two `onnx.Slice`.

    Requires: inferred shapes. Operations of unknown shape do not change.
  }];
}

def FixSizesPass : Pass<"fix-sizes", "::mlir::ModuleOp"> {
  let summary = "Replace symbolic dimensions by numbers";
  let description = [{
    Has the same effect as an import with these sizes: types lose the names, and values that the model computes from
    shapes become constants, on which more types may depend. Fails if an operator does not accept the sizes, or if no
    input has a dimension of that name.

    ```mlir
    func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> ... {
      %0 = onnx.Reshape %x, %shape : (...) -> tensor<?x2x3xf32, #onnx.dims<["batch", "", ""]>>
    ```
    becomes with `sizes=batch=1`
    ```mlir
    func.func @main(%x: tensor<1x6xf32>) -> ... {
      %0 = onnx.Reshape %x, %shape : (...) -> tensor<1x2x3xf32>
    ```

    Requires: inferred shapes. `--require-sizes` must not run before, because it writes names into attributes.
  }];
  let options = [ListOption<"sizes", "sizes", "std::string", "NAME=SIZE, several with commas between them">];
}

def FixRequiredSizesPass : Pass<"fix-required-sizes", "::mlir::ModuleOp"> {
  let summary = "Replace symbolic dimensions that must have one number";
  let description = [{
    If `--require-sizes` found that a symbolic dimension must be a number, such as the channels that constant weights
    have, the types of all values lose the name, as by `--fix-sizes`. Only the arguments of @main keep it, because
    callers know dimensions by names, and a reshape follows them. Runs with other sizes are refused as before. The
    module does not change if an operation does not accept the numbers, as in a branch that no run takes.

    ```mlir
    func.func @main(%x: tensor<?x?xf32, #onnx.dims<["n", "c"]>>) -> ... attributes {onnx.zero_sizes = [#dim.expr<"c - 8">]} {
      %0 = onnx.Relu %x : ... -> tensor<?x?xf32, #onnx.dims<["n", "c"]>>
    ```
    becomes
    ```mlir
      %1 = onnx.Reshape %x, %shape : (...) -> tensor<?x8xf32, #onnx.dims<["n", ""]>>
      %0 = onnx.Relu %1 : ... -> tensor<?x8xf32, #onnx.dims<["n", ""]>>
    ```

    Requires: inferred shapes, and the attributes of `--require-sizes`.
  }];
}

def FoldBatchNormPass : Pass<"fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold BatchNormalization and affine operations into weights";
  let description = [{
    A BatchNormalization, or a Mul, Div, Add or Sub by one constant per channel, is folded into the weights and bias of
    the Conv, ConvTranspose or Gemm that computes its operand, if these are f32 and that result has no other use. Any
    other BatchNormalization becomes a Mul and an Add in f32, between casts if its operand is f16 or bf16. A matrix that
    has other uses is not scaled, because it would be stored twice.

    ```mlir
    %0 = onnx.Conv %x, %w, %none : ...
    %1:3 = onnx.BatchNormalization %0, %scale, %bias, %mean, %variance : ...
    ```
    becomes `onnx.Conv %x, %w2, %b2`.

    Requires: weights and statistics are constants.
  }];
}

def FoldConstantsPass : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "Evaluate operations whose operands are all constants";
  let description = [{
    Evaluates one operation at a time on the bytes of the constants. Results of this pass are freed as soon as they have
    no uses, so that a chain of operations on a weight holds at most two copies of it.

    ```mlir
    %0 = onnx.Transpose %w {perm = array<i64: 1, 0>} : ...
    ```
    with a constant `%w` becomes a constant. A large constant is not copied: the transposed constant refers to the bytes
    of `%w` (`#onnx.transposed`).

    Ensures: no operation of the supported kinds has only constant operands, except those that the options exclude.
  }];
  let options = [
    Option<"copiedBytes", "copied-bytes", "int64_t", "1048576",
           "Largest size of a transposed constant that is copied; larger ones refer to the bytes of their source">,
    Option<"maxGrowth", "max-growth", "int64_t", "65536",
           "Do not evaluate operations whose result exceeds the size of their operands by more bytes, such as Expand">,
    Option<"dequantize", "dequantize", "bool", "true",
           "Evaluate DequantizeLinear of constant weights although the result is four times as large">,
    Option<"freeWeights", "free-weights", "bool", "false",
           "Also free replaced constants of the model; valid only if no other module of the context uses them">
  ];
}

def FoldZeroPointsPass : Pass<"fold-zero-points", "::mlir::func::FuncOp"> {
  let summary = "Move zero points out of integer products";
  let description = [{
    The processor multiplies bytes without zero points. What the zero points contribute to the sums is computed
    separately: at compile time for constant weights, otherwise by sums over rows, columns or windows. A convolution that
    is padded does not change where there is a zero point other than 0 (`--split-padding` makes the padding an operation
    of its own). Nor does one with groups whose weights have one.

    ```mlir
    %0 = onnx.ConvInteger %x, %w, %zero, %none : ...
    ```
    becomes `onnx.ConvInteger %x, %w, %none, %none` and an `onnx.Add` of one number per channel.
  }];
}

def FormIntegerProductsPass : Pass<"form-integer-products", "::mlir::func::FuncOp"> {
  let summary = "Compute products of quantised values in integers";
  let description = [{
    A Conv, Gemm or MatMul of dequantised bytes becomes an exact integer product, which is multiplied by the product of
    the scales. A bias that is quantised with the product of the scales is added to the integer sums. QLinearConv and
    QLinearMatMul are rewritten to the same form. DequantizeLinear moves behind operations that only move elements, and
    is removed before a QuantizeLinear that reverts it. A MatMul or Gemm with a constant matrix of up to 8 bits and a
    scale per block of its rows becomes BlockedMatMul, which keeps the weights packed and computes the sums in floats.
    Activations between products become signed or unsigned, whichever the target of the module multiplies. Constant
    weights lose their zero points where the differences are signed bytes, and otherwise get the sign that goes with the
    activation.

    ```mlir
    %0 = onnx.DequantizeLinear %x, %s, %z : ...
    %1 = onnx.DequantizeLinear %w, %t, %none : ...
    %2 = onnx.Conv %0, %1, %none : ...
    ```
    becomes `onnx.ConvInteger %x, %w, %z, %none`, `onnx.Cast` and `onnx.Mul`.

    Requires: scales, zero points and weights are constants; grouped weights minus their zero points are signed bytes.
  }];
}

def GroupQueriesPass : Pass<"group-queries", "::mlir::func::FuncOp"> {
  let summary = "Multiply with shared heads instead of repeated ones";
  let description = [{
    In grouped-query attention, several query heads share the keys and values of one head. Exporters repeat these heads
    by Expand or Tile, which writes a copy for each query head. This pass makes the queries of such heads rows of one
    product with the shared head, as `--decompose-ops` does for Attention.

    ```mlir
    %0 = onnx.Expand %k, %shape : (tensor<1x2x1x?x64xf32>, ...) -> tensor<1x2x4x?x64xf32>
    %1 = onnx.Reshape %0, %joined : (...) -> tensor<1x8x?x64xf32>
    %2 = onnx.MatMul %weights, %1 : (tensor<1x8x5x?xf32>, tensor<1x8x?x64xf32>) -> tensor<1x8x5x64xf32>
    ```
    becomes a product of `tensor<1x2x20x?xf32>` and `tensor<1x2x?x64xf32>` between reshapes.

    Requires: inferred shapes. The numbers of heads are known.
  }];
}

def IfConvertPass : Pass<"if-convert", "::mlir::func::FuncOp"> {
  let summary = "Compute both branches of an If and select elements";
  let description = [{
    Replaces `onnx.Choose` by `onnx.Where`, for targets that launch all kernels unconditionally. An `onnx.Choose` does
    not change if its branches have different sizes; if one relies on relations between sizes that not every run
    satisfies; or if one has checks or counts (`onnx.Prefix`), functions of the program (`onnx.Extern`) or loops.

    Requires: inferred shapes.
  }];
}

def MoveScalesPass : Pass<"move-scales", "::mlir::func::FuncOp"> {
  let summary = "Scale the weights of a convolution instead of its input";
  let description = [{
    Moves a Mul of an activation by one factor per channel into the constant weights of the pointwise Conv that uses it,
    if the weights are much smaller and the activation has other uses too (such as the mean from which squeeze and
    excitation computes the factors).

    ```mlir
    %0 = onnx.Mul %x, %s : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x56x56xf32>
    %1 = onnx.Conv %0, %w, %b : ...
    ```
    becomes
    ```mlir
    %0 = onnx.Mul %w, %s : (tensor<24x96x1x1xf32>, tensor<1x96x1x1xf32>) -> tensor<24x96x1x1xf32>
    %1 = onnx.Conv %x, %0, %b : ...
    ```

    Requires: all passes that fold into constant weights have run; channels are the second dimension.
  }];
}

def NarrowWindowsPass : Pass<"narrow-windows", "::mlir::func::FuncOp"> {
  let summary = "Remove results and taps of convolutions that have no effect";
  let description = [{
    A Slice of a convolution's result along its spatial axes becomes less padding. Causal convolutions, for example, pad
    both sides and cut off the end. Taps at an end of the window that only read padding, because the dilation is wider
    than the input, are removed from the weights.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 8>, pads = array<i64: 16, 16>, ...} : (tensor<1x40x100xf32>, tensor<150x40x3xf32>, ...) -> tensor<1x150x116xf32>
    %1 = onnx.Slice %0, %0, %-16, %2, %none : ... -> tensor<1x150x100xf32>
    ```
    becomes an `onnx.Conv` with `pads = array<i64: 16, 0>`.

    Requires: static sizes and explicit windows; weights that lose taps are constants.
  }];
}

def PartTapsPass : Pass<"part-taps", "::mlir::func::FuncOp"> {
  let summary = "Split convolutions that mostly multiply padding into one per tap";
  let description = [{
    If a wide dilation lets the outer taps along an axis read mostly padding, each tap becomes a convolution of the part
    of the input that it reads. Their results are padded and added.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 24>, pads = array<i64: 24, 24>, ...} : (tensor<1x960x33xf32>, ...
    ```
    becomes the sum of a convolution with the middle tap over all 33 elements, and two padded ones over 9 elements.

    Requires: the same as `--narrow-windows`; passes that fold into the weights and bias of convolutions have run.
  }];
}

def FoldStridesPass : Pass<"fold-strides", "::mlir::func::FuncOp"> {
  let summary = "Make blocks of pixels the channels of strided convolutions with few channels";
  let description = [{
    A convolution of f16 or bf16 with fewer channels than a matrix unit reads at once (the first one of most networks,
    and that which embeds patches) becomes one without strides: blocks of as many pixels as the strides are its
    channels, which are padded to a multiple of 16. The window is padded with taps of zero to whole blocks. Convolutions
    that would have more than twice as many products, of what an instruction multiplies, stay as they are, and so do
    those whose planes strides do not divide.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {kernel_shape = array<i64: 7, 7>, strides = array<i64: 2, 2>, ...} : (tensor<1x3x224x224xf16>, ...
    ```
    becomes a convolution of 4 x 4 taps over `tensor<1x16x115x115xf16>`.

    Requires: the same as `--narrow-windows`; passes that fold into the weights and bias of convolutions have run. The
    weights get pads and transposes, which `--fold-constants` evaluates afterwards.
  }];
}

def RaisePatternsPass : Pass<"raise-patterns", "::mlir::func::FuncOp"> {
  let summary = "Recognise normalisations and activations that are written as several operations";
  let description = [{
    Exporters write LayerNormalization, RMSNormalization, Gelu, Swish, HardSwish and Mish as chains of simple operations
    in operator sets that lack them. This pass replaces such a chain by the operator, which one loop nest computes with
    less rounding error.

    ```mlir
    %0 = onnx.Sigmoid %x : ...
    %1 = onnx.Mul %x, %0 : ...
    ```
    becomes `onnx.Swish %x`.
  }];
}

def RequireSizesPass : Pass<"require-sizes", "::mlir::func::FuncOp"> {
  let summary = "Collect the relations that the sizes of a run must satisfy";
  let description = [{
    Shape rules rely on relations between sizes: a Reshape keeps the number of elements, the factors of a product have
    the same depth, operands broadcast. If sizes are symbolic, the caller must satisfy these relations. The pass
    collects them in two attributes of the function: `onnx.zero_sizes` holds expressions that must be zero, and
    `onnx.sizes` expressions that must not be negative. With `differences`, result dimensions with a subtracted term are
    among the latter.

    If only one branch of a condition needs an operation, a check before the operation replaces its expressions that
    must be zero, because runs that take the other branch need not satisfy them.

    ```mlir
    func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> tensor<8xf32> {
      %0 = onnx.Reshape %x, %shape : ... -> tensor<8xf32>
    ```
    gets `attributes {onnx.zero_sizes = [#dim.expr<"4*n - 8">]}`.

    Requires: the operators as imported, because rewrites may use these relations. The pass runs again with
    `differences` after the operators are decomposed, and keeps the earlier expressions.
  }];
  let options = [
    Option<"differences", "differences", "bool", "false",
           "Also collect result dimensions with a subtracted term, which may be negative">
  ];
}

def ShrinkWeightsPass : Pass<"shrink-weights", "::mlir::func::FuncOp"> {
  let summary = "Store the matrices of matrix-vector products with fewer bits";
  let description = [{
    The time of a product of one row and a constant f32 matrix that exceeds the caches is that of reading the matrix.
    The matrix is rounded to bf16, or to 8 bits with a scale per column that is applied to the sums. The product
    converts the elements while it reads them. Other weights do not change.

    ```mlir
    %0 = onnx.MatMul %x, %w : (tensor<1x768xf32>, tensor<768x768xf32>) -> tensor<1x768xf32>
    ```
    becomes `onnx.Cast` of a constant of bf16, and `onnx.MatMul`.
  }];
  let options = [
    Option<"weightsType", "weights-type", "std::string", "\"as-is\"", "as-is (nothing is rounded), bf16 or int8">
  ];
}

def SimplifyGraphPass : Pass<"simplify-graph", "::mlir::func::FuncOp"> {
  let summary = "Remove operations without effect and merge repeated ones";
  let description = [{
    Removes Identity, inactive Dropout, Cast, Reshape, Pad, Slice, Expand and Resize that change nothing, x*1, x-0,
    initial states of recurrent layers that are zeros, and dead operations. Merges consecutive Relu and Clip,
    consecutive reshapes, and common subexpressions. All rewrites are exact.
  }];
}

def WidenFloatsPass : Pass<"widen-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute in float64 instead of float32";
  let description = [{
    Each operation that accepts float64 in place of float32 is computed in float64. Inputs, outputs, constants, values
    carried by loops, and the results of other operations (quantised and random ones) stay float32.

    ```mlir
    %0 = onnx.Exp %x : (tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = onnx.Cast %x {to = 11 : i64} : (tensor<4xf32>) -> tensor<4xf64>
    %1 = onnx.Exp %0 : (tensor<4xf64>) -> tensor<4xf64>
    %2 = onnx.Cast %1 {to = 1 : i64} : (tensor<4xf64>) -> tensor<4xf32>
    ```
  }];
}

#endif
