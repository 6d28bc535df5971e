#include "client/render/program.hpp"

#include <utility>
#include <vector>

#include <glm/gtc/type_ptr.hpp>

namespace iron::client::render {
namespace {

Result<GLuint> compile(std::string_view name, GLenum stage, std::string_view source) {
    const GLuint shader = glCreateShader(stage);
    const char* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok) return shader;
    std::string log(2048, '\0');
    GLsizei used = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &used, log.data());
    log.resize(static_cast<std::size_t>(used));
    glDeleteShader(shader);
    return fail("no_device", "the graphics driver refuses the " +
                                 std::string(stage == GL_VERTEX_SHADER ? "vertex" : "fragment") +
                                 " shader '" + std::string(name) + "': " + log);
}

}  // namespace

Result<Program> Program::build(std::string_view name, std::string_view vertex, std::string_view fragment) {
    IRON_TRY(const GLuint vs, compile(name, GL_VERTEX_SHADER, vertex));
    auto fs = compile(name, GL_FRAGMENT_SHADER, fragment);
    if (!fs) {
        glDeleteShader(vs);
        return tl::unexpected(std::move(fs).error());
    }
    Program out;
    out.id_ = glCreateProgram();
    glAttachShader(out.id_, vs);
    glAttachShader(out.id_, *fs);
    glLinkProgram(out.id_);
    glDeleteShader(vs);
    glDeleteShader(*fs);
    GLint ok = 0;
    glGetProgramiv(out.id_, GL_LINK_STATUS, &ok);
    if (!ok) {
        std::string log(2048, '\0');
        GLsizei used = 0;
        glGetProgramInfoLog(out.id_, static_cast<GLsizei>(log.size()), &used, log.data());
        log.resize(static_cast<std::size_t>(used));
        return fail("no_device", "the graphics driver cannot link '" + std::string(name) + "': " + log);
    }
    return out;
}

Program::Program(Program&& other) noexcept
    : id_(std::exchange(other.id_, 0)), places_(std::move(other.places_)) {}
Program& Program::operator=(Program&& other) noexcept {
    std::swap(id_, other.id_);
    places_.swap(other.places_);
    return *this;
}
Program::~Program() {
    if (id_ != 0) glDeleteProgram(id_);
}

GLint Program::place(const char* name) {
    const auto found = places_.find(std::string_view(name));
    if (found != places_.end()) return found->second;
    const GLint at = glGetUniformLocation(id_, name);
    places_.emplace(name, at);
    return at;
}

void Program::set(const char* name, int value) { glUniform1i(place(name), value); }
void Program::set(const char* name, float value) { glUniform1f(place(name), value); }
void Program::set(const char* name, glm::vec2 value) { glUniform2fv(place(name), 1, glm::value_ptr(value)); }
void Program::set(const char* name, glm::vec3 value) { glUniform3fv(place(name), 1, glm::value_ptr(value)); }
void Program::set(const char* name, glm::vec4 value) { glUniform4fv(place(name), 1, glm::value_ptr(value)); }
void Program::set(const char* name, const glm::mat4& value) {
    glUniformMatrix4fv(place(name), 1, GL_FALSE, glm::value_ptr(value));
}

}  // namespace iron::client::render
