#include "core/data/shared_queries.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/hash.h"
#include "core/base/message.h"

namespace rankmix::data {
namespace {

constexpr std::size_t kMaxShared = 1000;

std::uint64_t hash_of(const std::string& id) { return hash_text(id.data(), id.size()); }

// Hashes that several ranks have, in increasing order, up to kMaxShared of them.
std::vector<std::uint64_t> shared_hashes(const std::vector<std::string>& ids,
                                         Reducer& reducer) {
  std::vector<std::uint64_t> own;
  own.reserve(ids.size());
  for (const std::string& id : ids) {
    own.push_back(hash_of(id));
  }
  // The ids of a rank are distinct. If two of their hashes are equal, the ids are
  // compared with the ids of other ranks.
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  Message message;
  message.put(own);
  std::vector<std::uint64_t> all;
  for (MessageReader& part : gather(reducer, message)) {
    const std::vector<std::uint64_t> hashes = part.next<std::uint64_t>();
    all.insert(all.end(), hashes.begin(), hashes.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> shared;
  for (std::size_t i = 1; i < all.size() && shared.size() < kMaxShared; ++i) {
    if (all[i] == all[i - 1] && (shared.empty() || shared.back() != all[i])) {
      shared.push_back(all[i]);
    }
  }
  return shared;
}

}  // namespace

SharedQuery find_shared_query(const std::vector<std::string>& ids, Reducer& reducer) {
  const std::vector<std::uint64_t> hashes = shared_hashes(ids, reducer);
  SharedQuery found;
  if (hashes.empty()) {
    return found;
  }
  Message message;
  for (const std::string& id : ids) {
    if (std::binary_search(hashes.begin(), hashes.end(), hash_of(id))) {
      message.put(std::vector<char>(id.begin(), id.end()));
    }
  }
  std::vector<std::pair<std::string, std::size_t>> suspects;
  std::vector<MessageReader> messages = gather(reducer, message);
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    while (!messages[rank].is_at_end()) {
      const std::vector<char> id = messages[rank].next<char>();
      suspects.emplace_back(std::string(id.begin(), id.end()), rank);
    }
  }
  std::sort(suspects.begin(), suspects.end());
  for (std::size_t i = 1; i < suspects.size(); ++i) {
    const bool is_second = suspects[i].first == suspects[i - 1].first &&
                           (i < 2 || suspects[i - 2].first != suspects[i].first);
    if (is_second && ++found.count == 1) {
      found.id = suspects[i].first;
      found.first = suspects[i - 1].second;
      found.second = suspects[i].second;
    }
  }
  return found;
}

}  // namespace rankmix::data
