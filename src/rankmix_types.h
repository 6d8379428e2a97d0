// Included by RcppExports.cpp: the types of exported functions.
#pragma once
#include "bind_data.h"
