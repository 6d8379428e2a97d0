// Tables on disk, which R holds as an external pointer while they are binned.
#pragma once
#include <Rcpp.h>

#include <string>

#include "bind_data.h"
#include "core/data/column_store.h"
#include "core/data/letor_stream.h"
#include "host_bytes.h"

namespace rankmix {

struct StoreOnDisk {
  explicit StoreOnDisk(const std::string& path) : file(path), columns(file) {}

  DiskFile file;
  data::ColumnStore columns;
};

}  // namespace rankmix

using StorePointer = Rcpp::XPtr<rankmix::StoreOnDisk>;
