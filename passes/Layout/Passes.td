// Passes that choose the layout and the padding of activations. README.md states their order.
#ifndef CAMEO_PASSES_LAYOUT_PASSES_TD
#define CAMEO_PASSES_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseLayoutPass : Pass<"choose-layout", "::mlir::func::FuncOp"> {
  let summary = "Store the activations of convolution networks channels last";
  let description = [{
    Convolutions, pools and similar operations get the attribute `channels_last`, and all operations between them use
    the same layout, so that no activation is transposed in between. Transposes remain where a value enters or leaves
    such a part of the graph, and at operations that require the original layout. A network without such operations does
    not change.

    ```mlir
    %0 = onnx.Conv %x, %w, %b : (tensor<1x3x8x8xf32>, ...) -> tensor<1x16x8x8xf32>
    %1 = onnx.Relu %0 : ...
    %2 = onnx.GlobalAveragePool %1 : ...
    %3 = onnx.Reshape %2, %shape : (tensor<1x16x1x1xf32>, ...) -> tensor<1x16xf32>
    ```
    becomes
    ```mlir
    %t = onnx.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : ...
    %0 = onnx.Conv %t, %w, %b {channels_last} : (tensor<1x8x8x3xf32>, ...) -> tensor<1x8x8x16xf32>
    %1 = onnx.Relu %0 : ...
    %2 = onnx.GlobalAveragePool %1 {channels_last} : ...
    %3 = onnx.Reshape %2, %shape : (tensor<1x1x1x16xf32>, ...) -> tensor<1x16xf32>
    ```

    Requires: `--decompose-ops`. Constants get transposes and reshapes, which `--fold-constants` evaluates afterwards.
  }];
}

def SplitPaddingPass : Pass<"split-padding", "::mlir::func::FuncOp"> {
  let summary = "Make the padding of windows an operation that producers can fuse";
  let description = [{
    The padding of convolutions and pools becomes an `onnx.Pad` before them, so that the task which computes the
    activation stores it into a padded buffer. Users of the unpadded activation read a slice of the padded one if this
    costs nothing; otherwise both are kept. Bytes are padded with their zero point, which may be known only at run time;
    their sizes may be dynamic.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {channels_last, pads = array<i64: 1, 1, 1, 1>} : ...
    ```
    becomes
    ```mlir
    %p = onnx.Pad %x, %pads, %none, %none : (tensor<1x8x8x16xf32>, ...) -> tensor<1x10x10x16xf32>
    %0 = onnx.Conv %p, %w, %b {channels_last, pads = array<i64: 0, 0, 0, 0>} : ...
    ```

    Requires: `--decompose-ops`. Ensures: no Conv or MaxPool of known shape has pads. An AveragePool has pads only if it
    does not count them.
  }];
}

#endif
