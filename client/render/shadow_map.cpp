#include "client/render/shadow_map.hpp"

#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace iron::client::render {

Status ShadowMap::create(int size) {
    size_ = size;
    depth_ = GlTexture::make();
    target_ = GlFramebuffer::make();
    glBindTexture(GL_TEXTURE_2D, depth_.get());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, target_.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.get(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return fail("no_device", "the graphics device refuses a shadow map");
    return {};
}

void ShadowMap::aim(FrameState& frame, glm::vec3 center, float radius, float lowest, float highest) const {
    const glm::vec3 sun = frame.environment.sun_direction;
    const glm::vec3 up = std::abs(sun.z) > 0.95f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
    const glm::mat4 turn = glm::lookAt(glm::vec3(0), -sun, up);
    const float texel = 2.0f * radius / static_cast<float>(size_);
    glm::vec3 c(turn * glm::vec4(center, 1));
    c.x = std::floor(c.x / texel) * texel;
    c.y = std::floor(c.y / texel) * texel;
    // Everything between the lowest and highest point of the area along the light.
    const float slack = (highest - lowest) + radius * 2.0f;
    const glm::mat4 box = glm::ortho(c.x - radius, c.x + radius, c.y - radius, c.y + radius, -c.z - slack, -c.z + slack);
    frame.shadow_matrix = box * turn;
    frame.shadow_area = glm::vec3(center.x, center.y, radius);
    frame.shadow_texel = texel;
}

void ShadowMap::begin() const {
    glBindFramebuffer(GL_FRAMEBUFFER, target_.get());
    glViewport(0, 0, size_, size_);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMap::bind_texture() const {
    glActiveTexture(GL_TEXTURE0 + kShadowUnit);
    glBindTexture(GL_TEXTURE_2D, depth_.get());
    glActiveTexture(GL_TEXTURE0);
}

}  // namespace iron::client::render
