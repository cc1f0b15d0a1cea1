#include "Arguments.h"

#include <cstdlib>
#include <set>

namespace cameo::farm {

static const std::set<std::string> flags = {"--unsigned", "--detach",     "--json", "--mixed",
                                            "--high",     "--no-sandbox", "--gpu",  "--help"};
static const std::set<std::string> withValue = {
    "--server", "--key",      "--device",   "--worker", "--trust",  "--signing-key", "--credentials", "--nkey",
    "--tls-ca", "--tls-cert", "--tls-key",  "--port",   "--memory", "--processes",   "--patience",    "--packages",
    "--bytes",  "--lock",     "--parallel", "--agents", "--tuners", "--milliseconds"};

Failure Arguments::parse(int count, char **words, Arguments &result) {
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    if (word.rfind("-", 0) != 0) {
      if (result.action.empty())
        result.action = word;
      else
        result.rest.push_back(word);
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word == "-h" ? "--help" : word.substr(0, equals);
    if (flags.count(name) && equals == std::string::npos) {
      result.options[name] = "";
    } else if (!withValue.count(name)) {
      return "unknown option '" + word + "'; see 'cameo farm --help'";
    } else if (equals != std::string::npos) {
      result.options[name] = word.substr(equals + 1);
    } else if (i + 1 < count) {
      result.options[name] = words[++i];
    } else {
      return name + ": expected a value";
    }
  }
  return "";
}

std::string Arguments::get(const std::string &name, const std::string &otherwise) const {
  auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

Failure Arguments::get(const std::string &name, long low, long high, long &value) const {
  auto found = options.find(name);
  if (found == options.end())
    return "";
  char *end = nullptr;
  long read = std::strtol(found->second.c_str(), &end, 10);
  if (found->second.empty() || *end || read < low || read > high)
    return name + ": expected a number from " + std::to_string(low) + " to " + std::to_string(high) + ", got '" +
           found->second + "'";
  value = read;
  return "";
}

} // namespace cameo::farm
