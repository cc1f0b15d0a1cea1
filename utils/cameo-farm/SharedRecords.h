// Records of a team in a bucket; 'cameo records sync' decides which.
#ifndef CAMEO_FARM_SHAREDRECORDS_H
#define CAMEO_FARM_SHAREDRECORDS_H

#include "Arguments.h"

namespace cameo::farm {

/// Prints lines "PLACE<tab>RECORD".
int getRecords(const Arguments &arguments);
/// Reads such lines.
int putRecords(const Arguments &arguments);

} // namespace cameo::farm

#endif
