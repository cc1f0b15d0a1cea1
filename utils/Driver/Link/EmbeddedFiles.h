// Files of this repository that are embedded in the driver, so that it links models without an installation.
#ifndef CAMEO_UTILS_DRIVER_LINK_EMBEDDEDFILES_H
#define CAMEO_UTILS_DRIVER_LINK_EMBEDDEDFILES_H

#include "llvm/ADT/StringRef.h"

namespace cameo::embedded {

llvm::StringRef runtimeArchive(); // libcameo_rt.a, of the machine that the driver was built for
llvm::StringRef abiHeader();      // cameo/abi.h
llvm::StringRef runtimeHeader();  // cameo/runtime.h
llvm::StringRef gpuHeader();      // cameo/gpu.h
llvm::StringRef modelProgram();   // ModelProgram.c
llvm::StringRef costModelX86();   // autotune/CostModel/x86-64.model
// From utils/cameo, for the pages of 'cameo report'.
llvm::StringRef reportStyle();       // Report.css
llvm::StringRef modelPageStyle();    // ModelPage.css
llvm::StringRef modelGraphScript();  // ModelGraph.js
llvm::StringRef modelChartsScript(); // ModelCharts.js
llvm::StringRef modelPageScript();   // ModelPage.js

} // namespace cameo::embedded

#endif
