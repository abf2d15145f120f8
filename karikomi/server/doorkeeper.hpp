/// Waits for slow clients, so that nobody else has to. One thread reads all requests as their bytes
/// come, within limits of size and time; a worker gets a request only when it is whole. A thousand
/// connections that say nothing cost memory for their buffers and no thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <sys/types.h>

#include "karikomi/base/expected.hpp"

namespace karikomi::server {

struct DoorLimits {
    std::size_t most_connections = 4'096;  ///< the one that has waited longest makes room
    std::size_t most_per_address = 1'024;  ///< the same, for each address
    std::size_t most_head = 32 << 10;      ///< bytes of request line and headers
    std::size_t most_line = 8 << 10;       ///< bytes of one of them
    std::size_t most_headers = 100;
    std::size_t most_body = 1 << 20;
    std::chrono::milliseconds first_byte{10'000};  ///< after connecting; TLS included
    std::chrono::milliseconds head{10'000};        ///< from the first byte
    std::chrono::milliseconds whole{30'000};       ///< from the first byte
    std::chrono::milliseconds idle{15'000};        ///< between requests
    std::chrono::milliseconds write{5'000};        ///< until a client has taken what is written
    std::size_t workers = 128;                     ///< requests that are answered at once
};

/// Certificate and key for TLS; nothing is encrypted where they are empty.
struct TlsFiles {
    std::string certificate;
    std::string key;
};
/// Makes a key and a certificate that only it has signed, where the files are not there. `name` is
/// the machine that the certificate is for.
Status make_certificate(const TlsFiles& files, const std::string& name);
/// By which people recognise a certificate: SHA-256, in hexadecimal digits.
Expected<std::string> fingerprint_of(const std::string& certificate_file);

/// A whole request and the way to answer it. Used by one worker.
class Visitor {
public:
    virtual ~Visitor() = default;
    /// The bytes of the request, from its first line to the end of its body.
    virtual const std::string& request() const = 0;
    virtual const std::string& address() const = 0;
    virtual int port() const = 0;
    virtual int socket() const = 0;
    /// All of it, or false: the client is gone or too slow.
    virtual bool write(const char* bytes, std::size_t size) = 0;
    virtual bool is_there() const = 0;
};

class Doorkeeper {
public:
    /// Answers a request; true: the connection may be used for another.
    using Answer = std::function<bool(Visitor& visitor)>;

    static Expected<std::unique_ptr<Doorkeeper>> make(const DoorLimits& limits, const TlsFiles& tls,
                                                      Answer answer);
    virtual ~Doorkeeper() = default;
    /// A connection that was accepted; the doorkeeper closes it.
    virtual void let_in(int socket) = 0;
    /// Closes all connections that wait, and returns when the workers have ended.
    virtual void close() = 0;
};

}  // namespace karikomi::server
