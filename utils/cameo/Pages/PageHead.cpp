#include "utils/cameo/Pages/PageHead.h"

#include "utils/Driver/Link/EmbeddedFiles.h"
#include "utils/cameo/Pages/Chart.h"

void cameo::writePageHead(llvm::StringRef title, llvm::StringRef style, llvm::raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<title>"
     << escapeHtml(title) << "</title>\n<style>\n"
     << embedded::reportStyle() << style << "</style>\n</head>\n<body>\n";
}
