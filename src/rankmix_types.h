// The types of exported functions, for RcppExports.cpp.
#pragma once
#include "bind_adarank.h"
#include "bind_binned.h"
#include "bind_boost.h"
#include "bind_data.h"
#include "bind_gbrt.h"
#include "bind_linear.h"
#include "bind_network.h"
#include "bind_rankboost.h"
#include "bind_regress.h"
#include "glue_calls.h"
#include "glue_size.h"
