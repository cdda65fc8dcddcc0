// The library asks for the width of a character before its header: here a byte of UTF-8.
#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
