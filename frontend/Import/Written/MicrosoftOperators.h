// Writers of com.microsoft's operators, by family: MicrosoftQuantized.cpp, MicrosoftNorms.cpp and so on.
// MicrosoftOperators.cpp has the table of all.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_MICROSOFTOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_MICROSOFTOPERATORS_H

#include "frontend/Import/Written/WrittenOperators.h"

namespace cameo {

// Functions that the families share.
/// Transposes a tensor so that the channels, its last dimension, follow the batch, and back.
mlir::Value moveChannelsFirst(NodeWriter &w, mlir::Value value);
mlir::Value moveChannelsLast(NodeWriter &w, mlir::Value value);
/// Returns the window attributes of the node in the form of Conv and pools of the default domain.
llvm::SmallVector<mlir::NamedAttribute> takeWindow(NodeWriter &w, llvm::ArrayRef<llvm::StringRef> lists,
                                                   llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> numbers);
/// Returns the value plus an input that may be absent.
mlir::Value addOptional(NodeWriter &w, mlir::Value value, unsigned input);
/// Computes a Softmax over all dimensions from `axis` on, as operator sets below 13 do.
mlir::Value softmaxFrom(NodeWriter &w, mlir::Value x, int64_t axis);
/// Returns products of packed integers as a f32 tensor: (a - zero)(b - zero) * scales. Zero points may be absent.
mlir::Value multiplyBytes(NodeWriter &w, mlir::ValueRange factors, mlir::Value scales);
/// Unpacks the numbers of `bits` bits from the bytes of the last dimension, from the lowest bits of a byte, or from the
/// highest.
mlir::Value unpackNumbers(NodeWriter &w, mlir::Value bytes, int64_t bits, bool isHighFirst = false);
/// Returns the first `count` elements of the last dimension.
mlir::Value firstNumbers(NodeWriter &w, mlir::Value value, int64_t count);
/// A matrix with scales per block along the depth, in the form of MatMulNBits: columns, blocks, bytes. Zero points may
/// be null.
struct PackedMatrix {
  int64_t depth = 0, columns = 0, bits = 4, block = 0, accuracy = 0;
  mlir::Value bytes, scales, zeros;
  int64_t blocks() const { return llvm::divideCeil(depth, block); }
};
/// Reads the attributes that all products with such matrices have.
PackedMatrix takePacking(NodeWriter &w);
mlir::Value multiplyPacked(NodeWriter &w, mlir::Value a, const PackedMatrix &matrix);
/// Returns a dimension counted from the last one, if it is known.
std::optional<int64_t> knownSize(mlir::Value value, int64_t fromEnd);

// Quantized operators: dequantized, computed and quantized again.
WrittenResults writeQLinearAdd(NodeWriter &w);
WrittenResults writeQLinearMul(NodeWriter &w);
WrittenResults writeQLinearSigmoid(NodeWriter &w);
WrittenResults writeQLinearWhere(NodeWriter &w);
WrittenResults writeQLinearLeakyRelu(NodeWriter &w);
WrittenResults writeQLinearSoftmax(NodeWriter &w);
WrittenResults writeQLinearAveragePool(NodeWriter &w);
WrittenResults writeQLinearGlobalAveragePool(NodeWriter &w);
WrittenResults writeQLinearConcat(NodeWriter &w);
WrittenResults writeQLinearConv(NodeWriter &w);
WrittenResults writeQLinearReduceMean(NodeWriter &w);
WrittenResults writeQGemm(NodeWriter &w);
WrittenResults writeNhwcMaxPool(NodeWriter &w);
WrittenResults writeQuantizeLinear(NodeWriter &w);
WrittenResults writeDequantizeLinear(NodeWriter &w);

// Norms and embeddings.
WrittenResults writeSkipLayerNormalization(NodeWriter &w);
WrittenResults writeSkipSimplifiedLayerNormalization(NodeWriter &w);
WrittenResults writeEmbedLayerNormalization(NodeWriter &w);
WrittenResults writeQEmbedLayerNormalization(NodeWriter &w);
WrittenResults writeGroupNorm(NodeWriter &w);
WrittenResults writeSkipGroupNorm(NodeWriter &w);
WrittenResults writeGatedRMSNorm(NodeWriter &w);

// Activations.
WrittenResults writeGelu(NodeWriter &w);
WrittenResults writeBiasGelu(NodeWriter &w);
WrittenResults writeFastGelu(NodeWriter &w);
WrittenResults writeQuickGelu(NodeWriter &w);
WrittenResults writeBiasSplitGelu(NodeWriter &w);
WrittenResults writeBiasAdd(NodeWriter &w);
WrittenResults writeBiasSoftmax(NodeWriter &w);
WrittenResults writeBiasDropout(NodeWriter &w);
WrittenResults writeBitmaskDropout(NodeWriter &w);
WrittenResults writeGatedAdd(NodeWriter &w);
WrittenResults writeLinearAttentionGate(NodeWriter &w);

// Products and convolutions.
WrittenResults writeFusedMatMul(NodeWriter &w);
WrittenResults writeFusedMatMulActivation(NodeWriter &w);
WrittenResults writeFusedGemm(NodeWriter &w);
WrittenResults writeGemmFastGelu(NodeWriter &w);
WrittenResults writeFusedConv(NodeWriter &w);
WrittenResults writeNhwcConv(NodeWriter &w);
WrittenResults writeMatMulIntegerToFloat(NodeWriter &w);
WrittenResults writeDynamicQuantizeMatMul(NodeWriter &w);
WrittenResults writeMulInteger(NodeWriter &w);
WrittenResults writeMatMulInteger16(NodeWriter &w);

// Products and tables of packed weights.
WrittenResults writeMatMulNBits(NodeWriter &w);
WrittenResults writeMatMulNBitsMlp(NodeWriter &w);
WrittenResults writeMatMulNBitsQkv(NodeWriter &w);
WrittenResults writeMatMulBnb4(NodeWriter &w);
WrittenResults writeGatherBlockQuantized(NodeWriter &w);

// Mixtures of experts.
WrittenResults writeMoE(NodeWriter &w);
WrittenResults writeQMoE(NodeWriter &w);

// Attention.
WrittenResults writeAttention(NodeWriter &w);
WrittenResults writeQAttention(NodeWriter &w);
WrittenResults writeMultiHeadAttention(NodeWriter &w);
WrittenResults writeDecoderMaskedMultiHeadAttention(NodeWriter &w);
WrittenResults writeGroupQueryAttention(NodeWriter &w);
WrittenResults writeSparseAttention(NodeWriter &w);
WrittenResults writeRelativePositionBias(NodeWriter &w);
WrittenResults writeGatedRelativePositionBias(NodeWriter &w);

// Rotations of queries and keys.
WrittenResults writeRotaryEmbedding(NodeWriter &w);
WrittenResults writeMRotaryEmbedding(NodeWriter &w);
WrittenResults writeGemmaRotaryEmbedding(NodeWriter &w);

// Recurrent layers.
WrittenResults writeLinearAttention(NodeWriter &w);
WrittenResults writeCausalConvWithState(NodeWriter &w);
WrittenResults writeDynamicQuantizeLSTM(NodeWriter &w);

// Older selves of operators of the default domain.
WrittenResults writeTrilu(NodeWriter &w);
WrittenResults writeExpandDims(NodeWriter &w);
WrittenResults writePad(NodeWriter &w);
WrittenResults writeTorchEmbedding(NodeWriter &w);
WrittenResults writeNGramRepeatBlock(NodeWriter &w);
WrittenResults writeGatherND(NodeWriter &w);
WrittenResults writeGridSample(NodeWriter &w);
WrittenResults writeReduceSumInteger(NodeWriter &w);
WrittenResults writeRemovePadding(NodeWriter &w);
WrittenResults writeRestorePadding(NodeWriter &w);
WrittenResults writeCDist(NodeWriter &w);
WrittenResults writeComplexMul(NodeWriter &w);
WrittenResults writeComplexMulConj(NodeWriter &w);
WrittenResults writeRange(NodeWriter &w);
WrittenResults writeUnique(NodeWriter &w);

// Inverses, Fourier transforms, parts of images and tensors.
WrittenResults writeInverse(NodeWriter &w);
WrittenResults writeRfft(NodeWriter &w);
WrittenResults writeIrfft(NodeWriter &w);
WrittenResults writeUnfoldTensor(NodeWriter &w);
WrittenResults writeCropAndResize(NodeWriter &w);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_MICROSOFTOPERATORS_H
