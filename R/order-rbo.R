#' Rank-biased overlap of two lists
#'
#' Computes how similar two ranked lists are, with more weight at the top. Use it for lists that have different items or
#' lengths, such as two result lists of a query. [order_agreement()] and [ranking_agreement()] use it too.
#'
#' @param x,y The lists: character vectors, best item first. A list such as `list("a", c("b", "c"))` has tied
#'   items in one element. A named numeric vector has scores of items: higher is better, and equal scores are
#'   ties.
#' @param p The persistence, between 0 and 1, default 0.9. Rank d has the weight \eqn{(1 - p) p^{d - 1}}{(1 -
#'   p) p^(d - 1)}, so the expected depth is 1 / (1 - p) ranks. Smaller values put more weight on the top.
#' @param ties The meaning of ties. `"a"` (the default): the order is unknown, and the value is the mean over
#'   all orders (for lists of different lengths see Details). `"b"`: the order is unknown, and the value is
#'   corrected for the lost information, so that equal lists have the value 1. `"w"`: tied items share one rank,
#'   as in sports.
#'
#' @return A numeric vector:
#'   * `ext`: the overlap, extrapolated as if the agreement continued below the lists;
#'   * `min`, `max`: the lowest and highest overlap that unseen items allow;
#'   * `res`: `max` - `min`. If it is large, the lists are too short for `p`.
#' @examples
#' rbo(c("a", "b", "c", "d"), c("b", "a", "e"))
#' rbo(list("red", c("blue", "green"), "yellow"),
#'     list(c("blue", "red"), "white", "green"), ties = "w")
#' # Lists of ten items are too short for p = 0.98.
#' rbo(letters[1:10], letters[10:1], p = 0.98)["res"]
#'
#' @details
#' \deqn{RBO = (1 - p) \sum_{d \ge 1} p^{d - 1} A_d}{RBO = (1 - p) sum_{d >= 1} p^(d - 1) A_d}
#' The agreement \eqn{A_d = X_d / d}{A_d = X_d / d} at depth d divides the overlap \eqn{X_d}{X_d} by d.
#' Between the end of the shorter list (length s) and the end of the longer list, `ext` gives unseen items the
#' agreement \eqn{A_s}{A_s}. Below the longer list (length l) the agreement is \eqn{A_l}{A_l}. `min` assumes
#' that unseen items do not overlap, and `max` assumes the largest possible overlap.
#'
#' **Ties.** With `ties = "a"` and `"b"`, an item of a group at the ranks t to u contributes
#' \eqn{(d - t + 1) / (u - t + 1)}{(d - t + 1) / (u - t + 1)} at depth d of the group. \eqn{X_d}{X_d} is the
#' sum of products of contributions. For `"b"` the agreement is \eqn{X_d}{X_d} divided by the norms of both
#' vectors of contributions. With `"w"` all items of the group contribute 1 from rank t, and \eqn{X_d}{X_d} is
#' divided by the mean number of items at depth d. Without ties all three are equal.
#'
#' With `ties = "a"`, `min` is the mean of its values over all orders. For lists of the same length, so are `ext` and
#' `max`. For lists of different lengths, `ext` and `max` can be lower than these means. Corsi and Urbano (2024) let
#' an unseen item count as much as the average unmatched item of the longer list, and a tied item counts less than 1.
#'
#' **Undefined cases.** Lists have at least one item. With one item in each list, `ext` is 1 if the items are
#' equal, and 0 otherwise, and `res` is large.
#'
#' @section Conditions: `rankmix_error_argument`: a list that is empty, has an item twice, or has missing
#'   items; scores without names; `p` outside (0, 1); an unknown value of `ties`.
#' @section Cost: O(n) for lists of n items without ties, else O(n^2).
#' @references Webber, Moffat and Zobel (2010), \doi{10.1145/1852102.1852106}. Corsi and Urbano (2024),
#'   \doi{10.1145/3626772.3657700}.
#' @export
rbo <- function(x, y, p = 0.9, ties = "a") {
  check_given(missing(x), "x", "Give a character vector, best item first.")
  check_given(missing(y), "y", "Give a character vector, best item first.")
  check_persistence(p)
  check_choice(ties, "ties", c("a", "b", "w"))
  overlap_values(overlap_list(x, "x"), overlap_list(y, "y"), p, ties)
}

check_persistence <- function(p, call = rlang::caller_env()) {
  check_number(p, "p", 0, 1, open_min = TRUE, call = call)
  if (p == 1) {
    stop_input("argument", "`p` must be below 1.", remedy = "For example 0.9 for lists of ten items.",
               call = call)
  }
}

# A list as `item`, and the first and last rank of its group (`top`, `bottom`).
overlap_list <- function(x, name, call = rlang::caller_env()) {
  if (is.object(x) && !is.factor(x) || !is.atomic(x) && !is.list(x)) {
    stop_input("argument", sprintf("`%s` must be names of items, not %s.", name, show_value(x)),
               remedy = "Give a character vector, best item first, or named scores.", call = call)
  }
  groups <- if (is_plain_number(x)) score_groups(x, name, call) else as_groups(x, name, call)
  items <- unlist(groups, use.names = FALSE)
  bad <- c(if (length(items) == 0L) "no items", if (anyNA(items)) "a missing item",
           if (anyDuplicated(items)) {
             sprintf("the item %s twice", enumerate(items[duplicated(items)], 1L))
           })
  if (length(bad) > 0L) {
    stop_input("argument", sprintf("`%s` has %s.", name, bad[1L]),
               remedy = "A ranked list has each item once, best first.", call = call)
  }
  sizes <- lengths(groups)
  bottom <- cumsum(sizes)
  list(item = items, top = rep(bottom - sizes + 1, sizes), bottom = rep(bottom, sizes))
}

score_groups <- function(x, name, call) {
  if (is.null(names(x)) || anyNA(x) || !is_plain_number(x)) {
    stop_input("argument", sprintf("The scores in `%s` must have names and no missing values.", name),
               remedy = "Name the items, or give the names of the items, best first.", call = call)
  }
  lapply(descending_groups(snapped_values(x)), function(group) names(x)[group])
}

as_groups <- function(x, name, call) {
  if (is.factor(x)) x <- as.character(x)
  parts <- if (is.list(x) && !is.object(x)) x else as.list(x)
  if (!is.character(unlist(parts)) && length(parts) > 0L) {
    stop_input("argument", sprintf("`%s` must be names of items, not %s.", name, show_value(x)),
               remedy = "Give a character vector, best item first, or named scores.", call = call)
  }
  lapply(parts, as.character)
}

# The four values of two lists made by overlap_list().
overlap_values <- function(x, y, p, ties) {
  long <- if (length(x$item) >= length(y$item)) x else y
  short <- if (length(x$item) >= length(y$item)) y else x
  parts <- overlap_parts(short, long, ties)
  found <- c(ext = extrapolated_overlap(parts, p), min = lowest_overlap(parts, p),
             max = highest_overlap(parts, p))
  found <- pmin(pmax(found, 0), 1)
  c(found, res = found[["max"]] - found[["min"]])
}

# The contribution of each item of a list at each depth, items x depths: 0 above its group, 1 below.
contributions_at <- function(list, depths, ties) {
  if (ties == "w") {
    return(outer(list$top, depths, `<=`) + 0)
  }
  fraction <- outer(list$top, depths, function(top, d) d - top + 1) / (list$bottom - list$top + 1)
  fraction[fraction < 0] <- 0
  fraction[fraction > 1] <- 1
  fraction
}

# For each depth d up to the length l of the longer list:
#   overlap: of items in both lists; divisor: what divides the overlap, where the shorter list counts as
#   continued to depth d;
#   unseen, best: for d > s, the mean contribution of the items of the longer list alone, and the sum of the
#   first d - s of these.
overlap_parts <- function(short, long, ties) {
  s <- length(short$item)
  l <- length(long$item)
  tied <- any(short$top != short$bottom) || any(long$top != long$bottom)
  if (!tied) ties <- "w"
  at <- match(long$item, short$item)
  both <- which(!is.na(at))
  alone <- which(is.na(at))
  d <- seq_len(l)
  parts <- list(s = s, l = l)
  if (!tied) {
    parts$overlap <- cumsum(tabulate(pmax(both, at[both]), l))
    parts$divisor <- as.numeric(d)
    parts$unseen <- ifelse(cumsum(is.na(at)) > 0, 1, 0)
    parts$best <- pmin(pmax(d - s, 0), cumsum(is.na(at)))
    return(parts)
  }
  warn_all_pairs("Rank-biased overlap with ties", l, "Break the ties, or give only the first items of each list.", 20)
  in_long <- contributions_at(long, d, ties)
  in_short <- contributions_at(short, d, ties)
  in_short[, d > s] <- 1
  free <- in_long[alone, , drop = FALSE]
  parts$overlap <- colSums(in_long[both, , drop = FALSE] * in_short[at[both], , drop = FALSE])
  parts$divisor <- overlap_divisors(in_short, in_long, d, s, ties)
  parts$unseen <- parts$best <- numeric(l)
  for (depth in d[colSums(free) > 0]) {
    own <- free[, depth]
    parts$unseen[depth] <- mean(own[own > 0])
    parts$best[depth] <- sum(utils::head(own, max(depth - s, 0)))
  }
  parts
}

overlap_divisors <- function(in_short, in_long, d, s, ties) {
  switch(ties, a = as.numeric(d), w = (ifelse(d > s, d, colSums(in_short)) + colSums(in_long)) / 2,
         b = sqrt(ifelse(d > s, d, colSums(in_short^2)) * colSums(in_long^2)))
}

# The agreements at the depths 1 to l, weighted. `further` is the overlap of unseen items.
weighted_agreement <- function(parts, p, further) {
  agreement <- (parts$overlap + further) / parts$divisor
  (1 - p) * sum(agreement * p^(seq_len(parts$l) - 1))
}

extrapolated_overlap <- function(parts, p) {
  s <- parts$s
  level <- parts$overlap[s] / parts$divisor[s]
  missing <- pmax(seq_len(parts$l) - s, 0)
  last <- parts$overlap[parts$l] + (parts$l - s) * level
  weighted_agreement(parts, p, missing * level * parts$unseen) + p^parts$l * last / parts$l
}

# Below the lists the overlap stays the same: sum_{d > l} p^d / d = -log(1 - p) - sum_{d <= l} p^d / d.
lowest_overlap <- function(parts, p) {
  d <- seq_len(parts$l)
  tail <- -log1p(-p) - sum(p^d / d)
  weighted_agreement(parts, p, 0) + (1 - p) / p * parts$overlap[parts$l] * max(tail, 0)
}

# Below the lists, each depth adds to both lists an item of the other list, until the lists have the same items.
highest_overlap <- function(parts, p) {
  l <- parts$l
  items <- l + parts$s - parts$overlap[l]
  d <- l + seq_len(max(0, ceiling(items - 1e-9) - l))
  agreement <- pmin(1, (2 * d - items) / d)
  weighted_agreement(parts, p, parts$best) + (1 - p) * sum(agreement * p^(d - 1)) + p^(l + length(d))
}
