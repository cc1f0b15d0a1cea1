// Parses a line of a file as JSON. LLVM's parser recurses and accepts any size, so depth and size are limited here.
#ifndef CAMEO_AUTOTUNE_RECORDS_PARSELINE_H
#define CAMEO_AUTOTUNE_RECORDS_PARSELINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace cameo::autotune {

/// Limit of nested arrays and objects; records have 2 levels, TVM's logs 8.
constexpr unsigned maxJsonDepth = 64;

/// Parsed values take about twenty times the memory of their text.
constexpr size_t maxLineBytes = size_t(16) << 20;

/// Parses a line. The error says what is wrong, but does not name the line. Thread-safe.
llvm::Expected<llvm::json::Value> parseLine(llvm::StringRef line);

} // namespace cameo::autotune

#endif
