// A linked shader program with cached uniform places.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <glad/gl.h>
#include <glm/glm.hpp>

#include "shared/base/error.hpp"

namespace iron::client::render {

class Program {
public:
    /// Compiles and links. Error `no_device` with the driver's log.
    static Result<Program> build(std::string_view name, std::string_view vertex, std::string_view fragment);
    Program() = default;
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    void use() const { glUseProgram(id_); }
    // Setters act on the program in use; an unknown name is ignored (optimised away).
    void set(const char* name, int value);
    void set(const char* name, float value);
    void set(const char* name, glm::vec2 value);
    void set(const char* name, glm::vec3 value);
    void set(const char* name, glm::vec4 value);
    void set(const char* name, const glm::mat4& value);

private:
    GLint place(const char* name);
    GLuint id_ = 0;
    std::map<std::string, GLint, std::less<>> places_;
};

}  // namespace iron::client::render
