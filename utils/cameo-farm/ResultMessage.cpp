#include "ResultMessage.h"

#include <sstream>

namespace cameo::farm {

static constexpr const char *words[] = {"measured", "refused", "missing", "lost"};

std::string ResultMessage::write() const {
  std::string line = job + ' ' + device + ' ' + words[static_cast<int>(outcome)] + ' ' + reason;
  for (char &each : line)
    each = each == '\n' ? ' ' : each;
  return line + '\n' + lines;
}

bool ResultMessage::read(std::string_view text, ResultMessage &result) {
  size_t end = text.find('\n');
  if (end == std::string_view::npos)
    return false;
  std::istringstream line{std::string(text.substr(0, end))};
  std::string word;
  line >> result.job >> result.device >> word;
  line.get();
  std::getline(line, result.reason);
  result.lines = text.substr(end + 1);
  for (int i = 0; i < 4; ++i)
    if (word == words[i]) {
      result.outcome = static_cast<Outcome>(i);
      return true;
    }
  return false;
}

} // namespace cameo::farm
