// What a machine says about a package, line by line; README.md lists the fields.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTRESULT_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTRESULT_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <variant>

namespace cameo::autotune {

/// What a machine is, in its own words.
struct MachineFacts {
  std::string text;                  ///< for people
  std::string identity;              ///< the same for machines whose costs compare
  std::string gpu;                   ///< that it has for candidates, as far as it was asked for that
  uint64_t l2Bytes = 0, l3Bytes = 0; ///< 0: unknown
};

/// Of one item of a package.
struct MeasurementResult {
  uint64_t id = 0;
  MeasureError error;
  std::vector<double> costs;        ///< seconds; fewer than asked for when the candidate was given up as too slow
  std::vector<double> defaultCosts; ///< of the rival, in turns with these
  std::optional<Proof> proof;       ///< but for the seed
  double sentinelSeconds = 0;
  bool isDisturbed = false;
  bool needsReference = false; ///< the machine does not have what the image is compared with, or not any more
  std::string time;            ///< UTC, as ISO 8601, by the machine's clock; empty: nobody measured
  std::string machine, device; ///< of the head before it: the machine's identity, and what the farm calls it
};

/// The first line.
struct ResultsHead {
  uint64_t package = 0; ///< digest
  std::string refusal;  ///< why nothing of it is measured; empty: it is
  MachineFacts machine;
  std::string device; ///< what the farm calls the machine; empty: it is of no farm
};

/// The last line.
struct ResultsEnd {
  uint64_t package = 0;
  uint64_t results = 0; ///< before it; what a package only has for the fastest need not have one
};

/// An error says what was expected.
using ResultLine = std::variant<ResultsHead, MeasurementResult, ResultsEnd>;
llvm::Expected<ResultLine> parseResultLine(llvm::StringRef line);

/// Lines one after the other: results are of the machine that the head before them names.
class ResultReader {
public:
  llvm::Expected<ResultLine> read(llvm::StringRef line);

private:
  std::string machine, device;
};

} // namespace cameo::autotune

#endif
