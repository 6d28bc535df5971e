// JSON views of the visual formats, and the way back for those people write by hand.
#pragma once

#include "shared/asset/effect.hpp"
#include "shared/asset/font.hpp"
#include "shared/asset/material.hpp"
#include "shared/asset/palette.hpp"
#include "shared/asset/sound.hpp"
#include "shared/asset/texture.hpp"
#include "shared/asset/wear.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions;

Json view_json(const asset::Texture& texture, const ViewOptions& options);
Json view_json(const asset::Font& font, const ViewOptions& options);
Json view_json(const asset::Palette& palette, const ViewOptions& options);
Json view_json(const asset::Material& material, const ViewOptions& options);
Json view_json(const asset::Wear& wear, const ViewOptions& options);
Json view_json(const asset::Effect& effect, const ViewOptions& options);
Json view_json(const asset::Sound& sound, const ViewOptions& options);

/// {"archive": ..., "resource": ...}.
Json ref_json(const asset::Ref64& ref);

/// A material from its view; only `phases` is required, absent fields take the canonical values of
/// materials.md 2.6. Errors `json_missing`, `json_bad_value`.
Result<asset::Material> material_from_json(const Json& value);
/// A WEAR table from {"materials": [name...], "lightmaps": [name...]}; the row objects of the view are
/// accepted, too, and keep their ids. Errors as above.
Result<asset::Wear> wear_from_json(const Json& value);

}  // namespace iron::interchange
