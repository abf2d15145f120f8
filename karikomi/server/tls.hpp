/// OpenSSL's objects with owners, on sockets that do not block.
#pragma once

#include <memory>

#include <openssl/ssl.h>

#include "karikomi/server/doorkeeper.hpp"

namespace karikomi::server {

class TlsSession {
public:
    explicit TlsSession(SSL* ssl) : ssl_(ssl) {}
    ~TlsSession();
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;

    bool is_ready() const { return ready_; }
    bool wants_write() const { return wants_write_; }
    /// 1: done, 0: not yet, -1: they do not understand each other.
    int shake_hands();
    /// Bytes; 0: none now; -1: closed or broken.
    ssize_t read(char* to, std::size_t size);
    ssize_t write(const char* bytes, std::size_t size);

private:
    ssize_t outcome(int done);

    SSL* ssl_;
    bool ready_ = false;
    bool wants_write_ = false;
};

class TlsContext {
public:
    static Expected<std::unique_ptr<TlsContext>> make(const TlsFiles& files);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    /// For an accepted connection; null where there is no memory.
    std::unique_ptr<TlsSession> session(int socket) const;

private:
    explicit TlsContext(SSL_CTX* context) : context_(context) {}
    SSL_CTX* context_;
};

}  // namespace karikomi::server
