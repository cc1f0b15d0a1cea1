// 'cameo-farm measure-broker': how many packages a second a server carries from a tuner to a device, and their results back.
#ifndef CAMEO_FARM_MEASUREBROKER_H
#define CAMEO_FARM_MEASUREBROKER_H

#include "Arguments.h"

namespace cameo::farm {

int measureBroker(const Arguments &arguments);

} // namespace cameo::farm

#endif
