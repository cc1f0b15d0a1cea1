// 'cameo farm start' and 'stop': a NATS server on this machine, for experiments.
#ifndef CAMEO_FARM_SERVER_H
#define CAMEO_FARM_SERVER_H

#include "Arguments.h"

namespace cameo::farm {

int startServer(const Arguments &arguments);
int stopServer(const Arguments &arguments);

} // namespace cameo::farm

#endif
