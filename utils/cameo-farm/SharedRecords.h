// Records of a team in a bucket; 'cameo records sync' selects them.
#ifndef CAMEO_FARM_SHAREDRECORDS_H
#define CAMEO_FARM_SHAREDRECORDS_H

#include "Arguments.h"

namespace cameo::farm {

/// Prints lines "PLACE<tab>RECORD".
int getRecords(const Arguments &arguments);
/// Reads the lines that getRecords() prints.
int putRecords(const Arguments &arguments);

} // namespace cameo::farm

#endif
