// Owners of OpenGL names. All calls belong to the thread that owns the context.
#pragma once

#include <cstddef>
#include <utility>

#include <glad/gl.h>

namespace iron::client::render {

enum class GlKind { buffer, vertex_array, texture, framebuffer, renderbuffer };

/// Makes and deletes one OpenGL name.
GLuint make_gl_name(GlKind kind);
void delete_gl_name(GlKind kind, GLuint name);

/// Unique owner of one OpenGL name; 0 = none.
template <GlKind kind>
class GlName {
public:
    GlName() = default;
    static GlName make() {
        GlName out;
        out.name_ = make_gl_name(kind);
        return out;
    }
    GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    GlName& operator=(GlName&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    GlName(const GlName&) = delete;
    GlName& operator=(const GlName&) = delete;
    ~GlName() {
        if (name_ != 0) delete_gl_name(kind, name_);
    }
    GLuint get() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

private:
    GLuint name_ = 0;
};

using GlBuffer = GlName<GlKind::buffer>;
using GlVertexArray = GlName<GlKind::vertex_array>;
using GlTexture = GlName<GlKind::texture>;
using GlFramebuffer = GlName<GlKind::framebuffer>;
using GlRenderbuffer = GlName<GlKind::renderbuffer>;

/// One float attribute of a vertex layout (`offset` in bytes inside `stride`).
void float_attribute(GLuint index, int components, std::size_t stride, std::size_t offset,
                     unsigned divisor = 0);

/// Fills a buffer; `usage` GL_STATIC_DRAW or GL_STREAM_DRAW.
void fill_buffer(GLenum target, GLuint buffer, const void* data, std::size_t bytes, GLenum usage);

}  // namespace iron::client::render
