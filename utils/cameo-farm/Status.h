// 'cameo farm status' shows devices and queues, as text or JSON.
#ifndef CAMEO_FARM_STATUS_H
#define CAMEO_FARM_STATUS_H

#include "Arguments.h"

namespace cameo::farm {

int showStatus(const Arguments &arguments);

} // namespace cameo::farm

#endif
