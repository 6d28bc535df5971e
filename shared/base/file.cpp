#include "shared/base/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace iron {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    int close() {
        const int fd = fd_;
        fd_ = -1;
        return fd >= 0 ? ::close(fd) : 0;
    }

private:
    int fd_;
};

tl::unexpected<Error> io_error(const std::filesystem::path& path, const char* what) {
    const int code = errno;
    return tl::unexpected(
        Error(code == ENOENT ? "not_found" : "io_error", std::string(what) + ": " + std::strerror(code))
            .in(path.string()));
}

}  // namespace

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return io_error(path, "cannot open");
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return io_error(path, "cannot stat");
    if (!S_ISREG(info.st_mode))
        return tl::unexpected(Error("not_a_file", "not a regular file").in(path.string()));
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size > limit) {
        return tl::unexpected(Error("file_too_large", std::to_string(size) + " bytes, the limit is " +
                                                          std::to_string(limit))
                                  .in(path.string()));
    }
    Bytes out(static_cast<std::size_t>(size));
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t n = ::read(fd.get(), out.data() + done, out.size() - done);
        if (n < 0) {
            if (errno == EINTR) continue;
            return io_error(path, "cannot read");
        }
        if (n == 0) break;  // the file shrank while it was read
        done += static_cast<std::size_t>(n);
    }
    out.resize(done);
    return out;
}

Status write_file_atomic(const std::filesystem::path& path, ByteView bytes) {
    std::error_code ec;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::filesystem::create_directories(folder, ec);
    if (ec) {
        errno = ec.value();
        return io_error(folder, "cannot create folder");
    }
    std::filesystem::path temporary = path;
    temporary += ".tmp" + std::to_string(::getpid());
    const auto give_up = [&](const char* what) {
        auto error = io_error(path, what);
        ::unlink(temporary.c_str());
        return error;
    };
    Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (fd.get() < 0) return io_error(path, "cannot create temporary file");
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(fd.get(), bytes.data() + done, bytes.size() - done);
        if (n < 0) {
            if (errno == EINTR) continue;
            return give_up("cannot write");
        }
        done += static_cast<std::size_t>(n);
    }
    if (::fsync(fd.get()) != 0) return give_up("cannot flush");
    if (fd.close() != 0) return give_up("cannot close");
    if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up("cannot rename into place");
    Descriptor dir(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (dir.get() >= 0) ::fsync(dir.get());
    return {};
}

}  // namespace iron
