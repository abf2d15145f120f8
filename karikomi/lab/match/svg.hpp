/// The few pieces of SVG that charts are made of.
#pragma once

#include <string>

namespace karikomi::match {

std::string svg_text(double x, double y, const std::string& text, const char* anchor = "middle");
std::string svg_line(double x1, double y1, double x2, double y2, const char* colour);
/// A whole picture on white.
std::string svg_document(double width, double height, const std::string& body);

}  // namespace karikomi::match
