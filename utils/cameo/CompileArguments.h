// What 'cameo compile' takes on its command line, and the compiler as a library takes from its callers.
#ifndef CAMEO_UTILS_CAMEO_COMPILEARGUMENTS_H
#define CAMEO_UTILS_CAMEO_COMPILEARGUMENTS_H

#include "utils/cameo/CommandLine/CommandLine.h"
#include "utils/cameo/ModelOptions.h"

namespace cameo {

class CompileArguments {
public:
  /// Adds the model and all options to `line`, which writes into this object.
  void declare(CommandLine &line);
  /// What was given.
  CompileOptions finish() const;

private:
  CompileOptions options;
  RecordsArguments records;
  std::string emit = "obj";
  int64_t threads = 1;
};

} // namespace cameo

#endif
