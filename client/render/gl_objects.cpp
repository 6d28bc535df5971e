#include "client/render/gl_objects.hpp"

namespace iron::client::render {

GLuint make_gl_name(GlKind kind) {
    GLuint name = 0;
    switch (kind) {
        case GlKind::buffer: glGenBuffers(1, &name); break;
        case GlKind::vertex_array: glGenVertexArrays(1, &name); break;
        case GlKind::texture: glGenTextures(1, &name); break;
        case GlKind::framebuffer: glGenFramebuffers(1, &name); break;
        case GlKind::renderbuffer: glGenRenderbuffers(1, &name); break;
    }
    return name;
}

void delete_gl_name(GlKind kind, GLuint name) {
    switch (kind) {
        case GlKind::buffer: glDeleteBuffers(1, &name); break;
        case GlKind::vertex_array: glDeleteVertexArrays(1, &name); break;
        case GlKind::texture: glDeleteTextures(1, &name); break;
        case GlKind::framebuffer: glDeleteFramebuffers(1, &name); break;
        case GlKind::renderbuffer: glDeleteRenderbuffers(1, &name); break;
    }
}

void float_attribute(GLuint index, int components, std::size_t stride, std::size_t offset,
                     unsigned divisor) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(index, divisor);
}

void fill_buffer(GLenum target, GLuint buffer, const void* data, std::size_t bytes, GLenum usage) {
    glBindBuffer(target, buffer);
    glBufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
}

}  // namespace iron::client::render
