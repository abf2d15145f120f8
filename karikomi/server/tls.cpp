#include "karikomi/server/tls.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <unistd.h>

namespace karikomi::server {
namespace {

constexpr long kDays = 825;  // browsers refuse certificates that last longer
constexpr long kSecondsOfDay = 86'400;

template <auto Free> struct Freer {
    template <class T> void operator()(T* object) const { Free(object); }
};
template <class T, auto Free> using Owned = std::unique_ptr<T, Freer<Free>>;
struct Closer {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

/// OpenSSL's words.
std::string reason() {
    std::array<char, 200> text{};
    const unsigned long code = ERR_get_error();
    ERR_error_string_n(code, text.data(), text.size());
    ERR_clear_error();
    return code == 0 ? "unknown reason" : text.data();
}

int clamped(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

Owned<X509, X509_free> certificate_for(EVP_PKEY* key, const std::string& name) {
    Owned<X509, X509_free> x(X509_new());
    if (!x) return nullptr;
    std::uint64_t serial = 0;
    (void)RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
    (void)X509_set_version(x.get(), 2);
    (void)ASN1_INTEGER_set_uint64(X509_get_serialNumber(x.get()), serial >> 1);
    (void)X509_gmtime_adj(X509_getm_notBefore(x.get()), -kSecondsOfDay);
    (void)X509_gmtime_adj(X509_getm_notAfter(x.get()), kDays * kSecondsOfDay);
    (void)X509_set_pubkey(x.get(), key);
    X509_NAME* const subject = X509_get_subject_name(x.get());
    const auto* const text = reinterpret_cast<const unsigned char*>(name.c_str());
    (void)X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0);
    (void)X509_set_issuer_name(x.get(), subject);
    const std::string names = fmt::format("DNS:{0},DNS:{0}.local,DNS:localhost,IP:127.0.0.1", name);
    X509_EXTENSION* const extension =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    if (extension != nullptr) {
        (void)X509_add_ext(x.get(), extension, -1);
        X509_EXTENSION_free(extension);
    }
    return X509_sign(x.get(), key, EVP_sha256()) > 0 ? std::move(x) : nullptr;
}

}  // namespace

Status make_certificate(const TlsFiles& files, const std::string& name) {
    namespace fs = std::filesystem;
    if (fs::exists(files.certificate) && fs::exists(files.key)) return {};
    const Error failed = {fmt::format("'{}': no certificate could be written", files.certificate),
                          "choose another --data folder, or give --tls-cert and --tls-key"};
    const Owned<EVP_PKEY, EVP_PKEY_free> key(EVP_EC_gen("P-256"));
    if (!key) return failed;
    const auto certificate = certificate_for(key.get(), name);
    if (!certificate) return failed;
    // Only we may read the key, from its first byte on.
    (void)unlink(files.key.c_str());
    const int made =
        open(files.key.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);  // NOLINT
    const File key_file(made < 0 ? nullptr : fdopen(made, "w"));
    const File file(std::fopen(files.certificate.c_str(), "w"));
    const bool written = key_file && file &&
                         PEM_write_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0,
                                              nullptr, nullptr) == 1 &&
                         PEM_write_X509(file.get(), certificate.get()) == 1 &&
                         std::fflush(file.get()) == 0 && std::fflush(key_file.get()) == 0;
    return written ? Status() : Status(failed);
}

Expected<std::string> fingerprint_of(const std::string& certificate_file) {
    const File file(std::fopen(certificate_file.c_str(), "r"));
    const Owned<X509, X509_free> x(file ? PEM_read_X509(file.get(), nullptr, nullptr, nullptr)
                                        : nullptr);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (!x || X509_digest(x.get(), EVP_sha256(), digest.data(), &size) != 1) {
        return Error{fmt::format("'{}': is no certificate", certificate_file),
                     "give a PEM file with --tls-cert"};
    }
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest[i]);
    }
    return out;
}

// ---- Context and sessions -----------------------------------------------------------------------

Expected<std::unique_ptr<TlsContext>> TlsContext::make(const TlsFiles& files) {
    std::unique_ptr<TlsContext> made(new TlsContext(SSL_CTX_new(TLS_server_method())));
    SSL_CTX* const context = made->context_;
    if (context == nullptr) return Error{"TLS: " + reason(), "check OpenSSL"};
    (void)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    (void)SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                        SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                        SSL_MODE_RELEASE_BUFFERS);
    // Renegotiation is work for us that a client asks for.
    (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
        return Error{fmt::format("--tls-cert '{}': {}", files.certificate, reason()),
                     "give a PEM file, the server's own certificate first"};
    }
    if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1) {
        return Error{fmt::format("--tls-key '{}': {}", files.key, reason()),
                     "give the key of --tls-cert"};
    }
    return made;
}

TlsContext::~TlsContext() {
    SSL_CTX_free(context_);
}

std::unique_ptr<TlsSession> TlsContext::session(int socket) const {
    SSL* const ssl = SSL_new(context_);
    if (ssl == nullptr) return nullptr;
    (void)SSL_set_fd(ssl, socket);
    SSL_set_accept_state(ssl);
    return std::make_unique<TlsSession>(ssl);
}

TlsSession::~TlsSession() {
    if (ready_) (void)SSL_shutdown(ssl_);
    SSL_free(ssl_);
    ERR_clear_error();
}

ssize_t TlsSession::outcome(int done) {
    const int why = SSL_get_error(ssl_, done);
    wants_write_ = why == SSL_ERROR_WANT_WRITE;
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return 0;
    if (why == SSL_ERROR_SSL || why == SSL_ERROR_SYSCALL) ready_ = false;  // no farewell
    return -1;
}

int TlsSession::shake_hands() {
    ERR_clear_error();
    const int done = SSL_do_handshake(ssl_);
    ready_ = done == 1;
    return ready_ ? 1 : static_cast<int>(outcome(done));
}

ssize_t TlsSession::read(char* to, std::size_t size) {
    ERR_clear_error();
    const int n = SSL_read(ssl_, to, clamped(size));
    return n > 0 ? n : outcome(n);
}

ssize_t TlsSession::write(const char* bytes, std::size_t size) {
    ERR_clear_error();
    const int n = SSL_write(ssl_, bytes, clamped(size));
    return n > 0 ? n : outcome(n);
}

}  // namespace karikomi::server
