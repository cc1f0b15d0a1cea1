#include "SharedRecords.h"

#include "Connection.h"

#include <cstdio>
#include <iostream>

namespace cameo::farm {

constexpr double patienceSeconds = 5;

int getRecords(const Arguments &arguments) {
  std::unique_ptr<Connection> connection;
  if (Failure failure = Connection::open(arguments, "cameo records sync", patienceSeconds, connection);
      !failure.empty())
    return fail(failure);
  for (const auto &[place, value] : connection->getAll(recordsBucket))
    std::printf("%s\t%s\n", place.c_str(), value.text.c_str());
  return 0;
}

int putRecords(const Arguments &arguments) {
  std::unique_ptr<Connection> connection;
  if (Failure failure = Connection::open(arguments, "cameo records sync", patienceSeconds, connection);
      !failure.empty())
    return fail(failure);
  for (std::string line; std::getline(std::cin, line);) {
    size_t tab = line.find('\t');
    if (tab == std::string::npos)
      return fail("records-put: expected lines of a record's key, a tab and the record");
    if (Failure failure = connection->put(recordsBucket, line.substr(0, tab), line.substr(tab + 1)); !failure.empty())
      return fail(failure);
  }
  return 0;
}

} // namespace cameo::farm
