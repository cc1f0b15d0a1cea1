// Spectra of signals, windows and mel filters. The last dimension of a signal or spectrum has the real and the
// imaginary part, or the real part only.
#ifndef CAMEO_DIALECTS_ONNX_ONNXSIGNALOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXSIGNALOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_DFTOp : Onnx_Op<"DFT", 20, [1, 3], [1, 1]> {
  let summary = "Discrete Fourier transform along one dimension";
  let description = [{
    - dft_c1: input has rank 2 or more.
    - dft_c2: the last dimension of input is 1 or 2; it is 2 for an inverse one-sided transform.
    - dft_c3: dft_length and axis are scalars.
    - dft_c4: axis is a dimension other than the last one.
    - dft_c5: the transform has length 1 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_Optional<Onnx_IndexTensor>:$dft_length,
                       Onnx_Optional<Onnx_I64Tensor>:$axis, Onnx_IntOr<0>:$inverse, Onnx_IntOr<0>:$onesided);
  let results = (outs Onnx_Tensor:$output);
  let extraClassDeclaration = [{
    /// Returns the transformed dimension, counted from the front; nothing if it is unknown or out of range.
    std::optional<int64_t> getKnownAxis(int64_t rank);
  }];
}

def Onnx_STFTOp : Onnx_Op<"STFT", 17, [2, 4], [1, 1]> {
  let summary = "Discrete Fourier transforms of frames of a signal";
  let description = [{
    - stft_c1: signal has rank 3, its last dimension is 1 or 2.
    - stft_c2: frame_step and frame_length are scalars of 1 or more.
    - stft_c3: window has rank 1 and as many elements as a frame.
    - stft_c4: there is a window or a frame_length.
    - stft_c5: the signal is at least as long as a frame.
  }];
  let arguments = (ins Onnx_FloatTensor:$signal, Onnx_IndexTensor:$frame_step, Onnx_Optional<Onnx_FloatTensor>:$window,
                       Onnx_Optional<Onnx_IndexTensor>:$frame_length, Onnx_IntOr<1>:$onesided);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_FramesOp : Onnx_Op<"Frames", 17, [1, 1], [1, 1]> {
  let summary = "Overlapping pieces of a signal";
  let description = [{
    Frame i has the `length` elements of each signal from i * `step` on: a dimension of frames comes before that of the elements. `--decompose-ops`
    creates it for STFT. Models do not contain it.

    - frames_c1: signal has rank 3; its dimensions are signals, elements and parts.
    - frames_c2: length and step are 1 or more.
    - frames_c3: the signal is at least as long as a frame.

    Example: `%y = onnx.Frames %x {length = 4 : i64, step = 2 : i64} : (tensor<1x10x1xf32>) -> tensor<1x4x4x1xf32>`
  }];
  let arguments = (ins Onnx_FloatTensor:$signal, Onnx_Int:$length, Onnx_Int:$step);
  let results = (outs Onnx_FloatTensor:$frames);
}

class Onnx_WindowOp<string name, string factors> : Onnx_Op<name, 17, [1, 1], [1, 1]> {
  let description = [{
    The window is `factors[0] - factors[1] cos(turn) + factors[2] cos(2 turn)`, for one turn over it.

    - window_c1: size is a scalar of 0 or more.
    - window_c2: output_datatype is a type of numbers.
  }];
  let arguments = (ins Onnx_IndexTensor:$size, Onnx_IntOr<1>:$output_datatype, Onnx_IntOr<1>:$periodic);
  let results = (outs Onnx_Tensor:$output);
  let extraClassDeclaration = "static constexpr double factors[] = {" # factors # "};";
}
def Onnx_HannWindowOp : Onnx_WindowOp<"HannWindow", "0.5, 0.5, 0"> {
  let summary = "A raised cosine that ends at 0";
}
def Onnx_HammingWindowOp : Onnx_WindowOp<"HammingWindow", "25.0 / 46, 21.0 / 46, 0"> {
  let summary = "A raised cosine that ends above 0";
}
def Onnx_BlackmanWindowOp : Onnx_WindowOp<"BlackmanWindow", "0.42, 0.5, 0.08"> {
  let summary = "A sum of two cosines that ends at 0";
}

def Onnx_MelWeightMatrixOp : Onnx_Op<"MelWeightMatrix", 17, [5, 5], [1, 1]> {
  let summary = "Triangular filters that are evenly spaced on the mel scale, one per column";
  let description = [{
    - mel_c1: operands are scalars; num_mel_bins and dft_length are 0 or more.
    - mel_c2: output_datatype is a type of numbers.
  }];
  let arguments = (ins Onnx_IndexTensor:$num_mel_bins, Onnx_IndexTensor:$dft_length, Onnx_IndexTensor:$sample_rate,
                       Onnx_FloatTensor:$lower_edge_hertz, Onnx_FloatTensor:$upper_edge_hertz,
                       Onnx_IntOr<1>:$output_datatype);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXSIGNALOPS_TD
