// 'cameo-farm measure-broker': how many packages a second a server carries from tuners to devices, and their results
// back; with devices that take a time, how long tuners wait.
#ifndef CAMEO_FARM_MEASUREBROKER_H
#define CAMEO_FARM_MEASUREBROKER_H

#include "Arguments.h"

namespace cameo::farm {

int measureBroker(const Arguments &arguments);

} // namespace cameo::farm

#endif
