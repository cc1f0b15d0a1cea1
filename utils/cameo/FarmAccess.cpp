#include "utils/cameo/FarmAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo;

void FarmAccess::declare(CommandLine &line) {
  line.text("--credentials", "FILE",
            "File of credentials (.creds) from the server's operator. User and password may also be part of the URL: "
            "nats://USER:PASSWORD@HOST:4222.",
            credentials, Completes::File);
  line.text("--nkey", "FILE", "The seed of an NKey (SU...) that the server's configuration lets in.", nkey,
            Completes::File);
  line.text("--tls-ca", "FILE",
            "Certificates that must have signed the server's certificate. Also turns on TLS, as a tls:// URL does.",
            authority, Completes::File);
  line.text("--tls-cert", "FILE", "Client certificate, for servers that ask for one; with --tls-key.", certificate,
            Completes::File);
  line.text("--tls-key", "FILE", "Its key.", privateKey, Completes::File);
}

std::vector<std::string> FarmAccess::arguments() const {
  std::vector<std::string> given;
  for (auto [name, value] :
       {std::pair("--credentials", &credentials), std::pair("--nkey", &nkey), std::pair("--tls-ca", &authority),
        std::pair("--tls-cert", &certificate), std::pair("--tls-key", &privateKey)})
    if (!value->empty())
      llvm::append_range(given, std::vector<std::string>{name, *value});
  return given;
}
