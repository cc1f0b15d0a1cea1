// Passes on the onnx graph that are valid for all targets. passes/Pipeline defines their order, and README.md gives the
// reasons.
#ifndef CAMEO_PASSES_GRAPH_PASSES_TD
#define CAMEO_PASSES_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def BoundKeysPass : Pass<"bound-keys", "::mlir::func::FuncOp"> {
  let summary = "Read as many rows of a cache as count";
  let description = [{
    Attention with the length of each entry (`nonpad_kv_seqlen`) reads the rows that count for the longest one: keys, values and a mask are sliced to a size that the run
    counts. Nodes with the same lengths share it. Rows behind have no weight.

    ```mlir
    %y = onnx.Attention %q, %k, %v, %none, %none, %none, %lengths : ... tensor<1x4x8192x64xf32> ...
    ```
    reads `onnx.Slice %k` of `tensor<1x4x?x64xf32, #onnx.dims<["", "", "main.keys.0", ""]>>`.

    Left alone: caches of few rows, or of less than twice as many as there are queries, those that the run itself makes longer, and nodes whose scores somebody asks for.

    Requires: shapes inferred, equal values joined; a target that counts sizes, which GPUs do not.
  }];
}

def CancelTransposesPass : Pass<"cancel-transposes", "::mlir::func::FuncOp"> {
  let summary = "Merge, move and remove transposes";
  let description = [{
    Two transposes in a row become one; one that moves only dimensions of size 1 becomes a reshape; one behind an elementwise op
    moves through it when that lets it meet another.

    ```mlir
    %0 = onnx.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : ...
    %1 = onnx.Relu %0 : ...
    %2 = onnx.Transpose %1 {perm = array<i64: 0, 3, 1, 2>} : ...
    ```
    becomes `onnx.Relu %x`.

    Requires: shapes inferred. Ensures: no transpose directly behind another.
  }];
}

def CheckReadShapesPass : Pass<"check-read-shapes", "::mlir::func::FuncOp"> {
  let summary = "Refuse runs that read another shape than the model states";
  let description = [{
    Axes, sizes or repeats that a run reads leave the shape of a result open; it has the one that the model states, and its memory, too. Behind
    the operator, the run compares that shape with what it has read, as a count of the rows of the result: where they differ, the
    count is -1, which ends the run.

    Requires: the operators as imported, with inferred shapes. A value that is known is no such value.

    ```mlir
    %0:2 = onnx.TopK %x, %k : (tensor<9xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi64>)
    ```
    is followed by `onnx.Prefix %0#0, %count` and an `onnx.Reshape` to `tensor<3xf32>`, where `%count` is 3 if `%k` is 3, and else -1.

    An axis that changes no shape (CumSum, CumProd) is compared with the rank in the same way, and a vector of open length with what the operator takes. GPUs have no counts, and would not
    compile such a model: for them both are left out.
  }];
  let options = [Option<"comparesAll", "compare-all", "bool", "true", "Compare axes that change no shape, and vectors of open length, too">];
}

def CheckSizesPass : Pass<"check-sizes", "::mlir::ModuleOp"> {
  let summary = "Refuse sizes that nobody tells before a run uses them";
  let description = [{
    Fails with an error per input and per node that brings in a size which is known neither now nor when a run begins, and which no node finds.

    Requires: constants folded, and nodes that are not hidden in tasks yet: between this folder and passes/Partition.
  }];
}

def DecomposeOpsPass : Pass<"decompose-ops", "::mlir::func::FuncOp"> {
  let summary = "Write compound ops by simpler ones, and implicit attributes out";
  let description = [{
    After it the passes behind see fewer forms: windows (convolution, pooling) have `kernel_shape`, `strides`, `dilations` and
    `pads` written out and no `auto_pad`; shape-only ops are Reshape; Split is Slices; DepthToSpace and SpaceToDepth are reshapes
    around a Transpose; Gemm has no factors, and no transposed operand that is a constant; reductions keep their dimensions;
    Sum, Mean, Max and Min have two operands; Attention is products around a Softmax, RotaryEmbedding products and sums, CausalConvWithState a
    convolution of an input that begins with its past; NonZero, Compress, Unique and NonMaxSuppression an
    operation that counts, a Prefix of its result, Gather and Transpose.

    ```mlir
    %0:2 = onnx.Split %x, %none {axis = 1 : i64, num_outputs = 2 : i64} : ...
    ```
    becomes two `onnx.Slice`.

    Requires: shapes inferred; ops of unknown shape are left alone.
  }];
}

def FixSizesPass : Pass<"fix-sizes", "::mlir::ModuleOp"> {
  let summary = "Substitute numbers for names of dimensions";
  let description = [{
    As if the model had been imported with these sizes: types lose the names, and what models compute from shapes becomes constants, on which more types may depend. Fails where
    an operator cannot take the sizes, and where no input has a dimension of that name.

    ```mlir
    func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> ... {
      %0 = onnx.Reshape %x, %shape : (...) -> tensor<?x2x3xf32, #onnx.dims<["batch", "", ""]>>
    ```
    becomes with `sizes=batch=1`
    ```mlir
    func.func @main(%x: tensor<1x6xf32>) -> ... {
      %0 = onnx.Reshape %x, %shape : (...) -> tensor<1x2x3xf32>
    ```

    Requires: shapes inferred, and no `--require-sizes` before it, which writes names into attributes.
  }];
  let options = [ListOption<"sizes", "sizes", "std::string", "NAME=SIZE, several with commas between them">];
}

def FoldBatchNormPass : Pass<"fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold BatchNormalization and affine ops into weights";
  let description = [{
    A BatchNormalization, or a Mul, Div, Add or Sub by one constant per channel, disappears in the weights and bias of the Conv,
    ConvTranspose or Gemm before it when nothing else uses that op's result. A BatchNormalization elsewhere becomes a Mul and an Add.

    ```mlir
    %0 = onnx.Conv %x, %w, %none : ...
    %1:3 = onnx.BatchNormalization %0, %scale, %bias, %mean, %variance : ...
    ```
    becomes `onnx.Conv %x, %w2, %b2`.

    Requires: weights and statistics are constants.
  }];
}

def FoldConstantsPass : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "Compute ops whose operands are all constants";
  let description = [{
    Works on the bytes of weights: one op at a time, and results of this pass that nothing uses any more are freed at once, so that a
    chain of ops on a weight holds no more than two copies of it.

    ```mlir
    %0 = onnx.Transpose %w {perm = array<i64: 1, 0>} : ...
    ```
    with a constant `%w` becomes a constant. Large ones are not copied: what is transposed refers to the bytes of `%w` (`#onnx.transposed`).

    Ensures: no op of the handled kinds has only constant operands.
  }];
  let options = [
    Option<"copiedBytes", "copied-bytes", "int64_t", "1048576", "Transpose constants of more bytes in place">,
    Option<"maxGrowth", "max-growth", "int64_t", "65536",
           "Leave ops whose result is larger than their operands by more than this many bytes, such as Expand">,
    Option<"dequantize", "dequantize", "bool", "true",
           "Compute DequantizeLinear of constant weights although the result is four times as large">,
    Option<"freeWeights", "free-weights", "bool", "false",
           "Free the model's own data, too, once replaced; only where no other module of the context has the same constants">
  ];
}

def FoldZeroPointsPass : Pass<"fold-zero-points", "::mlir::func::FuncOp"> {
  let summary = "Take zero points out of products of bytes";
  let description = [{
    Processors multiply bytes as they are. What the zero points add to their sums is computed beside them: once for constant weights,
    by sums over rows or columns otherwise. Convolutions that are padded with a zero point other than 0 stay
    (`--split-padding` writes the padding out).

    ```mlir
    %0 = onnx.ConvInteger %x, %w, %zero, %none : ...
    ```
    becomes `onnx.ConvInteger %x, %w, %none, %none` and an `onnx.Add` of one number per channel.
  }];
}

def FormIntegerProductsPass : Pass<"form-integer-products", "::mlir::func::FuncOp"> {
  let summary = "Compute products of quantised values in integers";
  let description = [{
    A Conv, Gemm or MatMul of dequantised bytes becomes a sum of integers, which is exact, times the product of the scales; its bias, if it
    was quantised with that product, is added to the sum. QLinearConv and QLinearMatMul are written in the same form.
    DequantizeLinear moves behind ops that only move elements, and vanishes before the QuantizeLinear that undoes it.
    MatMul and Gemm with a constant matrix of up to 8 bits that has a scale per block of its rows become BlockedMatMul, which keeps numbers packed; the sum is one of floats.
    Activations between products are stored as the module's target multiplies them: unsigned by signed weights, or signed.

    ```mlir
    %0 = onnx.DequantizeLinear %x, %s, %z : ...
    %1 = onnx.DequantizeLinear %w, %t, %none : ...
    %2 = onnx.Conv %0, %1, %none : ...
    ```
    becomes `onnx.ConvInteger %x, %w, %z, %none`, `onnx.Cast` and `onnx.Mul`.

    Requires: scales, zero points and weights as constants; weights symmetric (zero point 0, or 128 of unsigned ones).
  }];
}

def IfConvertPass : Pass<"if-convert", "::mlir::func::FuncOp"> {
  let summary = "Compute both branches of an If and select elements";
  let description = [{
    `onnx.Choose` becomes `onnx.Where`, for targets whose kernels run without asking. One with counts stays: its branches differ in size.

    Requires: shapes inferred.
  }];
}

def MoveScalesPass : Pass<"move-scales", "::mlir::func::FuncOp"> {
  let summary = "Multiply weights instead of the planes before them";
  let description = [{
    A Mul of a plane by one factor per channel goes into the constant weights of the pointwise Conv behind it, where these are much smaller and
    the plane is needed elsewhere too (for the mean from which squeeze and excitation computes the factors).

    ```mlir
    %0 = onnx.Mul %x, %s : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x56x56xf32>
    %1 = onnx.Conv %0, %w, %b : ...
    ```
    becomes
    ```mlir
    %0 = onnx.Mul %w, %s : (tensor<24x96x1x1xf32>, tensor<1x96x1x1xf32>) -> tensor<24x96x1x1xf32>
    %1 = onnx.Conv %x, %0, %b : ...
    ```

    Requires: what folds into constant weights has been done; channels are the second dimension.
  }];
}

def NarrowWindowsPass : Pass<"narrow-windows", "::mlir::func::FuncOp"> {
  let summary = "Leave out results and taps of convolutions that count for nothing";
  let description = [{
    A Slice of a convolution's result along its spatial axes becomes less padding, as in causal convolutions, which pad on both sides and cut
    off what is behind. Taps at an end of the window that never lie on an element, because the dilation is wider than the plane, leave the
    weights.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 8>, pads = array<i64: 16, 16>, ...} : (tensor<1x40x100xf32>, tensor<150x40x3xf32>, ...) -> tensor<1x150x116xf32>
    %1 = onnx.Slice %0, %0, %-16, %2, %none : ... -> tensor<1x150x100xf32>
    ```
    becomes an `onnx.Conv` with `pads = array<i64: 16, 0>`.

    Requires: sizes are numbers, windows are written out; weights that lose taps are constants.
  }];
}

def PartTapsPass : Pass<"part-taps", "::mlir::func::FuncOp"> {
  let summary = "Convolutions that mostly multiply padding become sums of their taps";
  let description = [{
    Along axes on which a wide dilation lets the outer taps see little but padding, each tap becomes a convolution of the part of the plane
    that it sees, and their padded results are added up.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 24>, pads = array<i64: 24, 24>, ...} : (tensor<1x960x33xf32>, ...
    ```
    becomes the sum of a convolution with the tap in the middle, over all 33 elements, and two padded ones over 9.

    Requires: as `--narrow-windows`, behind what folds into the weights and bias of convolutions.
  }];
}

def RaisePatternsPass : Pass<"raise-patterns", "::mlir::func::FuncOp"> {
  let summary = "Recognise normalisations and activations written out in parts";
  let description = [{
    Exporters write LayerNormalization, RMSNormalization, Gelu, Swish, HardSwish and Mish as chains of simple ops in operator sets that
    lack them. One op instead of many is computed in one go and with better numerics.

    ```mlir
    %0 = onnx.Sigmoid %x : ...
    %1 = onnx.Mul %x, %0 : ...
    ```
    becomes `onnx.Swish %x`.
  }];
}

def RequireSizesPass : Pass<"require-sizes", "::mlir::func::FuncOp"> {
  let summary = "State what the sizes that a run chooses must satisfy";
  let description = [{
    What the shape rules of the operators say of sizes (a Reshape keeps the number of elements, a product has as many columns as rows, operands
    broadcast) and names leave open. The function gets the attributes `onnx.zero_sizes`, expressions that are zero for sizes which the model takes, and
    `onnx.sizes`, expressions that are not negative; with `differences`, also the sizes of values that are differences. What is zero for an operation
    that one branch alone needs is checked in front of it instead, where a run takes the branch: others may have sizes for which that one cannot be computed.

    Requires: the operators as imported, since rewrites may use what is stated here. Once more when they are taken apart, for what they consist
    of: what was stated before stays.

    ```mlir
    func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> tensor<8xf32> {
      %0 = onnx.Reshape %x, %shape : ... -> tensor<8xf32>
    ```
    gets `attributes {onnx.zero_sizes = [#dim.expr<"4*n - 8">]}`.
  }];
  let options = [
    Option<"differences", "differences", "bool", "false", "also state sizes that might be negative">
  ];
}

def ShrinkWeightsPass : Pass<"shrink-weights", "::mlir::func::FuncOp"> {
  let summary = "Store the matrices of matrix-vector products in fewer bits";
  let description = [{
    A product of one row and a constant f32 matrix that no cache holds takes as long as reading the matrix. It is rounded to bf16, or to
    8 bits with a scale per column that is applied to the sums; the product converts it while reading. Other weights stay.

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
  let summary = "Remove ops that do nothing, merge those that repeat each other";
  let description = [{
    Identity, inactive Dropout, and Cast, Reshape, Pad, Slice, Expand, Resize that change nothing; x*1, x-0; Relu and Clip in a row; reshapes
    in a row; states of zeros that recurrent layers begin with; common subexpressions; dead ops. All rewrites are exact.
  }];
}

def WidenFloatsPass : Pass<"widen-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute in float64 what the model computes in float32";
  let description = [{
    Every op that may have operands and results of float64 in place of float32 gets them. Inputs, outputs, constants, what loops carry, and
    the results of other ops (quantised, random ones) stay float32.

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
