#include "utils/cameo/FarmAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo;

void FarmAccess::declare(CommandLine &line) {
  line.text("--credentials", "FILE",
            "A file of credentials (.creds) that the server's operator gave out. User and password may stand in the "
            "URL instead: nats://USER:PASSWORD@HOST:4222.",
            credentials, Completes::File);
  line.text("--nkey", "FILE", "The seed of an NKey (SU...) that the server's configuration lets in.", nkey,
            Completes::File);
  line.text("--tls-ca", "FILE",
            "Certificates that the server's has to be signed by; also turns on TLS, as a URL of tls:// does.",
            authority, Completes::File);
  line.text("--tls-cert", "FILE", "A certificate of one's own, for servers that ask for it; with --tls-key.",
            certificate, Completes::File);
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
