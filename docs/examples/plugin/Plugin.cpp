// What the compiler calls when it loads this library.
#include "Plugin.h"

#include "AcmeOps.h"

using namespace cameo::lower;

/// One loop over the elements of the result, in the element type of the result; narrow floats come as float32.
static Lowered lowerSoftclip(acme::SoftclipOp op, Operands operands, GenericBuilder &b) {
  double limit = op.getLimit();
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, mlir::ValueRange x) {
    mlir::Value bound = s.number(x[0].getType(), limit);
    return s.mul(bound, s.tanh(s.div(x[0], bound)));
  }));
}

extern "C" const char *cameoPluginVersion() { return CAMEO_PLUGIN_VERSION; }

extern "C" void cameoRegisterPlugin(cameo::PluginRegistry &registry) {
  registry.addDialect<acme::AcmeDialect>();
  registry.addLowering(lowerSoftclip);
  registry.addGraphPass(acme::createRaiseSoftclipPass, cameo::GraphPassUse::Optimized);
  registry.addSketchRule(acme::createWideLanesRule());
}
