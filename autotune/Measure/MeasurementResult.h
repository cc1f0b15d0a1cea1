// The results of a package as text lines from a machine; README.md lists the fields.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTRESULT_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTRESULT_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <variant>

namespace cameo::autotune {

/// A machine's description of itself.
struct MachineFacts {
  std::string text;                  ///< description for users
  std::string identity;              ///< equal for machines whose costs are comparable
  std::string gpu;                   ///< GPU for candidates, if it was asked for
  uint64_t l2Bytes = 0, l3Bytes = 0; ///< 0: unknown
};

/// The result of one item of a package.
struct MeasurementResult {
  uint64_t id = 0;
  MeasureError error;
  std::vector<double> costs;        ///< seconds; fewer than requested if the candidate was abandoned as too slow
  std::vector<double> defaultCosts; ///< costs of the rival, measured alternating with `costs`
  std::optional<Proof> proof;       ///< without the seed
  double sentinelSeconds = 0;
  bool isDisturbed = false;
  bool needsReference = false; ///< the machine does not have the reference results for the comparison (any more)
  std::string time;            ///< UTC, as ISO 8601, by the machine's clock; empty if not measured
  std::string machine, device; ///< from the preceding head: the machine's identity, and its name in the farm
};

/// The first line.
struct ResultsHead {
  uint64_t package = 0; ///< digest
  std::string refusal;  ///< reason why the package is not measured; empty if it is
  MachineFacts machine;
  std::string device; ///< name of the machine in the farm; empty without a farm
};

/// The last line.
struct ResultsEnd {
  uint64_t package = 0;
  uint64_t results = 0; ///< number of results; an item that is only for the fastest candidate may have none
};

/// An error says what was expected.
using ResultLine = std::variant<ResultsHead, MeasurementResult, ResultsEnd>;
llvm::Expected<ResultLine> parseResultLine(llvm::StringRef line);

/// Reads lines in order and adds the machine of the preceding head to each result.
class ResultReader {
public:
  llvm::Expected<ResultLine> read(llvm::StringRef line);

private:
  std::string machine, device;
};

} // namespace cameo::autotune

#endif
