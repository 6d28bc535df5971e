// JSON views of missions, scripts, variables and text configuration.
#pragma once

#include "shared/asset/build_dat.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/asset/script_package.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/varset.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions;

Json view_json(const asset::Tma& value, const ViewOptions& options);
Json view_json(const asset::ScriptPackage& value, const ViewOptions& options);
Json view_json(const asset::VariableSet& value, const ViewOptions& options);
Json view_json(const asset::BuildDat& value, const ViewOptions& options);
Json view_json(const asset::CompIni& value, const ViewOptions& options);
Json view_json(const asset::IniDocument& value, const ViewOptions& options);
Json view_json(const asset::BlockDocument& value, const ViewOptions& options);
Json view_json(const asset::TextDocument& value, const ViewOptions& options);

}  // namespace iron::interchange
