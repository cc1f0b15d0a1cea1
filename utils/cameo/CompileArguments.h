// The arguments of 'cameo compile', which are also those of the compiler as a library.
#ifndef CAMEO_UTILS_CAMEO_COMPILEARGUMENTS_H
#define CAMEO_UTILS_CAMEO_COMPILEARGUMENTS_H

#include "utils/cameo/CommandLine/CommandLine.h"
#include "utils/cameo/ModelOptions.h"

namespace cameo {

class CompileArguments {
public:
  /// Adds the model and all options to `line`, which writes into this object.
  void declare(CommandLine &line);
  /// Returns the options that were parsed.
  CompileOptions finish() const;

private:
  CompileOptions options;
  RecordsArguments records;
  std::string emit = "obj";
  int64_t threads = 1;
};

} // namespace cameo

#endif
