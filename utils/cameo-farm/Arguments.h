// The arguments of 'cameo-farm'. 'cameo farm' checks and documents them (utils/cameo/Farm.cpp), but is not installed on
// boards.
#ifndef CAMEO_FARM_ARGUMENTS_H
#define CAMEO_FARM_ARGUMENTS_H

#include "Failure.h"

#include <map>
#include <string>
#include <vector>

namespace cameo::farm {

class Arguments {
public:
  /// Parses "ACTION" and then "--name=value", "--name value", flags and other arguments, in any order.
  static Failure parse(int count, char **words, Arguments &result);

  const std::string &getAction() const { return action; }
  const std::vector<std::string> &getRest() const { return rest; }
  bool has(const std::string &name) const { return options.count(name) > 0; }
  std::string get(const std::string &name, const std::string &otherwise = "") const;
  /// Reads an integer in [low, high]. The failure names the option.
  Failure get(const std::string &name, long low, long high, long &value) const;

private:
  std::string action;
  std::map<std::string, std::string> options;
  std::vector<std::string> rest;
};

} // namespace cameo::farm

#endif
