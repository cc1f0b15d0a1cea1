// The operators of com.microsoft that the import writes as operations of the default domain: what ONNX Runtime's optimiser, its quantiser and
// exporters for it make. By ONNX Runtime's ContribOperators.md.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

constexpr bool kTensors = false;

constexpr WrittenOperator kMicrosoftOperators[] = {
    {"Attention", 7, writeAttention, kTensors, 2},
    {"BiasAdd", 3, writeBiasAdd},
    {"BiasDropout", 5, writeBiasDropout, kTensors, 2},
    {"BiasGelu", 2, writeBiasGelu},
    {"BiasSoftmax", 2, writeBiasSoftmax},
    {"BiasSplitGelu", 2, writeBiasSplitGelu},
    {"BitmaskDropout", 5, writeBiasDropout, kTensors, 2},
    {"DecoderMaskedMultiHeadAttention", 11, writeDecoderMaskedMultiHeadAttention, kTensors, 1},
    {"DequantizeLinear", 3, writeDequantizeLinear, kTensors, 2},
    {"DynamicQuantizeMatMul", 5, writeDynamicQuantizeMatMul, kTensors, 3},
    {"EmbedLayerNormalization", 9, writeEmbedLayerNormalization, kTensors, 1},
    {"ExpandDims", 2, writeExpandDims},
    {"FastGelu", 2, writeFastGelu, kTensors, 1},
    {"FusedConv", 4, writeFusedConv, kTensors, 2},
    {"FusedGemm", 3, writeFusedGemm, kTensors, 2},
    {"FusedMatMul", 2, writeFusedMatMul},
    {"GatedAdd", 3, writeGatedAdd},
    {"GatedRMSNorm", 3, writeGatedRMSNorm},
    {"GatherBlockQuantized", 4, writeGatherBlockQuantized, kTensors, 3},
    {"Gelu", 1, writeGelu},
    {"GemmFastGelu", 3, writeGemmFastGelu, kTensors, 2},
    {"GroupNorm", 3, writeGroupNorm},
    {"GroupQueryAttention", 16, writeGroupQueryAttention, kTensors, 1},
    {"LinearAttentionGate", 4, writeLinearAttentionGate},
    {"MatMulBnb4", 3, writeMatMulBnb4},
    {"MatMulInteger16", 2, writeMatMulInteger16},
    {"MatMulIntegerToFloat", 7, writeMatMulIntegerToFloat, kTensors, 4},
    {"MatMulNBits", 6, writeMatMulNBits, kTensors, 3},
    {"MulInteger", 4, writeMulInteger, kTensors, 1},
    {"MultiHeadAttention", 10, writeMultiHeadAttention, kTensors, 1},
    {"NhwcConv", 3, writeNhwcConv, kTensors, 2},
    {"NhwcFusedConv", 4, writeNhwcConv, kTensors, 2},
    {"NhwcMaxPool", 1, writeNhwcMaxPool},
    {"QAttention", 9, writeQAttention, kTensors, 5},
    {"QGemm", 9, writeQGemm, kTensors, 5},
    {"QLinearAdd", 8, writeQLinearAdd, kTensors, 2},
    {"QLinearAveragePool", 5, writeQLinearAveragePool, kTensors, 2},
    {"QLinearConcat", kAnyNumber, writeQLinearConcat},
    {"QLinearConv", 9, writeQLinearConv, kTensors, 8},
    {"QLinearGlobalAveragePool", 5, writeQLinearGlobalAveragePool, kTensors, 5},
    {"QLinearLeakyRelu", 5, writeQLinearLeakyRelu, kTensors, 2},
    {"QLinearMul", 8, writeQLinearMul, kTensors, 2},
    {"QLinearReduceMean", 5, writeQLinearReduceMean, kTensors, 2},
    {"QLinearSigmoid", 5, writeQLinearSigmoid, kTensors, 2},
    {"QLinearSoftmax", 5, writeQLinearSoftmax, kTensors, 2},
    {"QLinearWhere", 9, writeQLinearWhere},
    {"QuantizeLinear", 3, writeQuantizeLinear, kTensors, 2},
    {"QuickGelu", 1, writeQuickGelu},
    {"RotaryEmbedding", 4, writeRotaryEmbedding},
    {"SimplifiedLayerNormalization", 2, writeSimplifiedLayerNormalization},
    {"SkipGroupNorm", 5, writeSkipGroupNorm, kTensors, 4},
    {"SkipLayerNormalization", 5, writeSkipLayerNormalization, kTensors, 3},
    {"SkipSimplifiedLayerNormalization", 4, writeSkipSimplifiedLayerNormalization, kTensors, 3},
    {"TransposeMatMul", 2, writeFusedMatMul},
    {"Trilu", 2, writeTrilu, kTensors, 1},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getMicrosoftOperators() { return kMicrosoftOperators; }
