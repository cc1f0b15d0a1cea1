// 'cameo-farm measure-broker' measures how many packages per second a server carries from tuners to devices and back as
// results, and, with devices that need time for each, how long tuners wait.
#ifndef CAMEO_FARM_MEASUREBROKER_H
#define CAMEO_FARM_MEASUREBROKER_H

#include "Arguments.h"

namespace cameo::farm {

int measureBroker(const Arguments &arguments);

} // namespace cameo::farm

#endif
