// How TShark 4.0.17 prints the fields of directplay.md 18.1 for a block: what the oracle test expects. The printing
// itself is checked against a real reading, session.fields.tsv.
#pragma once

#include <string>
#include <vector>

#include "dpcompat/wire/messages.hpp"

namespace iron::test {

/// Without frame.number: 25 columns.
std::vector<std::string> tshark_row(const dpcompat::Block& block);
/// The `-e` arguments of those columns, in order.
const std::vector<std::string>& tshark_fields();
/// Kinds whose bodies TShark reads in the way the row says; of the others only size, command and version count.
bool tshark_reads_body(std::uint16_t command);

}  // namespace iron::test
