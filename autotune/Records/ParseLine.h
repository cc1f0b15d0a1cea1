// A line of a file as JSON. LLVM's parser recurses and takes any size: both have limits here.
#ifndef CAMEO_AUTOTUNE_RECORDS_PARSELINE_H
#define CAMEO_AUTOTUNE_RECORDS_PARSELINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace cameo::autotune {

/// Of arrays and objects in each other; records have 2, TVM's logs 8.
constexpr unsigned maxJsonDepth = 64;

/// Values take about twenty times the memory of their text.
constexpr size_t maxLineBytes = size_t(16) << 20;

/// The value that the line spells; an error says what is wrong, and does not name the line. Thread-safe.
llvm::Expected<llvm::json::Value> parseLine(llvm::StringRef line);

} // namespace cameo::autotune

#endif
