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

/// That of ONNX 1.20 and 1.21. A newer version may change what the fields of a model mean.
constexpr int64_t lastIrVersion = 13;

LogicalResult fail(Location loc, llvm::Error error) { return emitError(loc) << llvm::toString(std::move(error)); }

bool isTextName(StringRef path) {
  return path.ends_with(".onnxtext") || path.ends_with(".onnxtxt") || path.ends_with(".onnx.txt");
}

/// Returns the name of another format that people take for a model, by the first bytes of the file, and what to do.
/// Returns nothing if the format is not known.
StringRef identifyOther(StringRef bytes) {
  struct Format {
    size_t at;
    StringRef magic, text;
  };
  const Format formats[] = {
      {0, "version https://git-lfs.github.com/", "a Git LFS pointer: 'git lfs pull' downloads the model"},
      {0, "<!DOCTYPE html", "a page of HTML: the download went wrong"},
      {0, "<html", "a page of HTML: the download went wrong"},
      {0, "\x1f\x8b", "a file compressed with gzip: decompress it"},
      {0,
       StringRef("\xFD"
                 "7zXZ\0",
                 6),
       "a file compressed with xz: decompress it"},
      {0, "\x28\xB5\x2F\xFD", "a file compressed with zstd: decompress it"},
      {0, "BZh", "a file compressed with bzip2: decompress it"},
      {257, "ustar", "a tar archive: extract the model"},
      {0, "GGUF", "a GGUF file, as llama.cpp reads: export the model to ONNX"},
      {8, "{\"", "a safetensors file, which has weights alone: export the model to ONNX"},
      {0, "PK\3\4", "a zip archive, as PyTorch and Keras write: export the model to ONNX"},
      {0, "\x89HDF\r\n", "an HDF5 file, as Keras writes: export the model to ONNX"},
      {4, "TFL3", "a TensorFlow Lite model: convert it to ONNX"},
      {4, "ORTM", "a model in ORT format: give the ONNX model that it was made from"},
      {0, "ir_version:", "protobuf's text format: give the binary file"},
  };
  for (const Format &format : formats)
    if (bytes.substr(format.at).starts_with_insensitive(format.magic))
      return format.text;
  return "";
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
  llvm::Error error = isTextName(path) ? model->parseText() : model->parseBinary();
  if (!error && model->model->has_graph()) {
    if (int64_t version = model->model->ir_version(); version > lastIrVersion)
      return emitError(loc) << "expected at most IR version " << lastIrVersion << ", the newest that is known, got "
                            << version;
    return model;
  }
  if (!error)
    error = llvm::createStringError("expected an ONNX model, got a file without a graph");
  constexpr uint64_t lastMagic = 512; // a byte behind all of them
  llvm::Expected<HeldBytes> begin = model->file->read(0, std::min(lastMagic, model->file->getSizeBytes()));
  if (!begin)
    return fail(loc, llvm::joinErrors(std::move(error), begin.takeError()));
  StringRef other = identifyOther(StringRef(begin->bytes.data(), begin->bytes.size()));
  if (other.empty())
    return fail(loc, std::move(error));
  llvm::consumeError(std::move(error));
  return emitError(loc) << "expected an ONNX model, got " << other;
}

llvm::Error ModelFile::parseBinary() {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> all = file->mapAll();
  if (!all)
    return all.takeError();
  llvm::Expected<SplitModel> split = splitWeights((*all)->getBuffer());
  if (!split)
    return split.takeError();
  all->reset();
  file->unmap();
  constexpr uint64_t kMaxStructureBytes = uint64_t(1) << 31;
  if (split->structure.size() >= kMaxStructureBytes)
    return llvm::createStringError("expected at most 2 GiB without weights, got " +
                                   std::to_string(split->structure.size()) + " bytes");
  // Protobuf would print errors to stderr that are reported here.
  google::protobuf::LogSilencer silencer;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t *>(split->structure.data()),
                                                static_cast<int>(split->structure.size()));
  if (!model->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return llvm::createStringError("expected an ONNX model, got other data (protobuf cannot parse it)");
  weights = std::move(split->weights);
  return llvm::Error::success();
}

llvm::Error ModelFile::parseText() {
  constexpr uint64_t largestBytes = uint64_t(1) << 30;
  if (file->getSizeBytes() > largestBytes)
    return llvm::createStringError("expected at most " + std::to_string(largestBytes) + " bytes of text, got " +
                                   std::to_string(file->getSizeBytes()));
  llvm::Expected<HeldBytes> text = file->read(0, file->getSizeBytes());
  if (!text)
    return text.takeError();
  return parseModelText(std::string(text->bytes.data(), text->bytes.size()), *model);
}
