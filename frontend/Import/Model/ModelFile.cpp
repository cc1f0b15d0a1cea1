#include "frontend/Import/Model/ModelFile.h"

#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/Import/Model/ParseText.h"

#include "mlir/IR/Diagnostics.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

LogicalResult fail(Location loc, llvm::Error error) { return emitError(loc) << llvm::toString(std::move(error)); }

bool isTextName(StringRef path) {
  return path.ends_with(".onnxtext") || path.ends_with(".onnxtxt") || path.ends_with(".onnx.txt");
}

} // namespace

ModelFile::ModelFile(StringRef path) : path(path), model(std::make_unique<::onnx::ModelProto>()), externalFiles(path) {}

ModelFile::~ModelFile() = default;

FailureOr<std::unique_ptr<ModelFile>> ModelFile::open(MLIRContext &context, StringRef path,
                                                      std::optional<StringRef> bytes) {
  Location loc = getFileLocation(&context, path);
  std::unique_ptr<ModelFile> model(new ModelFile(path));
  llvm::Expected<std::shared_ptr<DataFile>> file = bytes ? DataFile::ofBytes(*bytes) : DataFile::open(path);
  if (!file)
    return fail(loc, file.takeError());
  model->file = *file;
  if (model->file->getSizeBytes() == 0)
    return emitError(loc) << "expected a model, got an empty file";
  if (failed(isTextName(path) ? model->parseText(loc) : model->parseBinary(loc)))
    return failure();
  if (!model->model->has_graph())
    return emitError(loc) << "expected an ONNX model, got a file without a graph";
  return model;
}

LogicalResult ModelFile::parseBinary(Location loc) {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> all = file->mapAll();
  if (!all)
    return fail(loc, all.takeError());
  llvm::Expected<SplitModel> split = splitWeights((*all)->getBuffer());
  if (!split)
    return fail(loc, split.takeError());
  all->reset();
  file->unmap();
  constexpr uint64_t kMaxStructureBytes = uint64_t(1) << 31;
  if (split->structure.size() >= kMaxStructureBytes)
    return emitError(loc) << "expected at most 2 GiB without weights, got " << split->structure.size() << " bytes";
  // Protobuf would print errors to stderr that are reported here.
  google::protobuf::LogSilencer silencer;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t *>(split->structure.data()),
                                                static_cast<int>(split->structure.size()));
  if (!model->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return emitError(loc) << "expected an ONNX model, got other data (protobuf cannot parse it)";
  weights = std::move(split->weights);
  return success();
}

LogicalResult ModelFile::parseText(Location loc) {
  constexpr uint64_t largestBytes = uint64_t(1) << 30;
  if (file->getSizeBytes() > largestBytes)
    return emitError(loc) << "expected at most " << largestBytes << " bytes of text, got " << file->getSizeBytes();
  llvm::Expected<HeldBytes> text = file->read(0, file->getSizeBytes());
  if (!text)
    return fail(loc, text.takeError());
  if (llvm::Error error = parseModelText(std::string(text->bytes.data(), text->bytes.size()), *model))
    return fail(loc, std::move(error));
  return success();
}
