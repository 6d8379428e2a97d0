# LightGBM's text model. A value up to the threshold goes left, in double precision, as in rankmix. LightGBM
# has three rules for missing values, which are decided when the file is read.

lightgbm_versions <- c("v2", "v3", "v4")
# LightGBM treats values of at most this magnitude, the float nearest to 1e-35, as 0.
lightgbm_zero <- 1.00000001800250948e-35

model_of_lightgbm <- function(file) {
  lines <- text_lines(file)
  first <- grep("^Tree=", lines)
  last <- match("end of trees", lines)
  need(lines[1L] == "tree" && length(first) > 0L, "It is no model of LightGBM: it has no trees.")
  need(!is.na(last) && last > max(first), "The file is incomplete: `end of trees` is missing.")
  head <- lightgbm_fields(lines[seq_len(first[1L] - 1L)])
  count <- check_lightgbm_head(head)
  sizes <- lightgbm_numbers(head[["tree_sizes"]], "`tree_sizes`")
  need(is.null(head[["tree_sizes"]]) || length(sizes) == length(first),
       "Its number of trees is not that of `tree_sizes`.")
  ends <- c(first[-1L], last) - 1L
  trees <- lapply(seq_along(first), function(t) {
    fields <- lightgbm_fields(lines[seq.int(first[t], ends[t])])
    need(identical(fields[["Tree"]], sprintf("%d", t - 1L)), sprintf("%s is not in its place.", tree_place(t)))
    tree_of_lightgbm(fields, count, tree_place(t))
  })
  imported_model("lightgbm", lightgbm_objective(head), trees, lightgbm_features(head, count), count)
}

text_lines <- function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  need(!any(bytes == as.raw(0L)), "It has bytes that are 0.")
  text <- rawToChar(bytes)
  need(validUTF8(text), "It is not UTF-8.")
  Encoding(text) <- "UTF-8"
  sub("\r$", "", strsplit(text, "\n", fixed = TRUE)[[1L]])
}

# Lines `name=value` as a list. A line without `=` has no value.
lightgbm_fields <- function(lines) {
  at <- regexpr("=", lines, fixed = TRUE)
  names <- ifelse(at > 0L, substr(lines, 1L, at - 1L), lines)
  kept <- nzchar(names)
  need(!anyDuplicated(names[kept]), "A field is there twice.")
  stats::setNames(as.list(ifelse(at > 0L, substring(lines, at + 1L), "")[kept]), names[kept])
}

# Checks the head of the file. Returns the number of features.
check_lightgbm_head <- function(head) {
  need(isTRUE(head[["version"]] %in% lightgbm_versions), "Its version of LightGBM's text is not known.")
  one <- function(name) {
    value <- lightgbm_numbers(head[[name]], sprintf("`%s`", name))
    need(length(value) == 1L && value == round(value), sprintf("`%s` is no whole number.", name))
    value
  }
  need(one("num_class") == 1 && one("num_tree_per_iteration") == 1,
       "It has several classes: only a model with one score can be a ranker.")
  need(is.null(head[["average_output"]]), "It is a random forest, which averages trees: it cannot be read.")
  count <- one("max_feature_idx") + 1
  need(count >= 1 && count < 2^31, "`max_feature_idx` is no number of features.")
  count
}

lightgbm_objective <- function(head) {
  objective <- head[["objective"]]
  if (is.null(objective) || !nzchar(objective)) "custom" else strsplit(objective, " ", fixed = TRUE)[[1L]][1L]
}

# NULL for the names that LightGBM gives to features without names.
lightgbm_features <- function(head, count) {
  need(!is.null(head[["feature_names"]]), "It has no `feature_names`.")
  names <- strsplit(head[["feature_names"]], " ", fixed = TRUE)[[1L]]
  need(length(names) == count, "`feature_names` are not as many as features.")
  if (!identical(names, sprintf("Column_%d", seq_len(count) - 1L))) names
}

lightgbm_numbers <- function(text, what, length = NULL) {
  if (is.null(text)) {
    need(is.null(length) || length == 0L, sprintf("%s is missing.", what))
    return(numeric())
  }
  pieces <- strsplit(text, " ", fixed = TRUE)[[1L]]
  # as.numeric() would also read hexadecimal numbers and blanks.
  good <- grepl("^[-+]?([0-9.]+([eE][-+]?[0-9]+)?|inf|nan)$", pieces)
  values <- suppressWarnings(as.numeric(pieces))
  need(all(good) && !anyNA(values[pieces != "nan"]), sprintf("%s has something that is no number.", what))
  need(is.null(length) || base::length(values) == length, sprintf("%s has another length.", what))
  values
}

tree_of_lightgbm <- function(fields, features, place) {
  what <- function(name) sprintf("%s: `%s`", place, name)
  numbers <- function(name, length) lightgbm_numbers(fields[[name]], what(name), length)
  whole <- function(name, length, low, high) {
    values <- numbers(name, length)
    need(all(is.finite(values)) && all(values == round(values) & values >= low & values <= high),
         sprintf("%s has a number that cannot be.", what(name)))
    as.integer(values)
  }
  leaves <- whole("num_leaves", 1L, 1, 2^30)
  need(is.null(fields[["num_cat"]]) || whole("num_cat", 1L, 0, 2^30) == 0L,
       sprintf("%s splits a categorical feature: it cannot be read.", place))
  need(is.null(fields[["is_linear"]]) || identical(fields[["is_linear"]], "0"),
       sprintf("%s has linear models in its leaves: it cannot be read.", place))
  nodes <- leaves - 1L
  values <- numbers("leaf_value", leaves)
  need(all(is.finite(values)), sprintf("%s has a number that cannot be.", what("leaf_value")))
  tree <- list(
    feature = whole("split_feature", nodes, 0, features - 1), threshold = numbers("threshold", nodes),
    left = whole("left_child", nodes, -leaves, nodes - 1), right = whole("right_child", nodes, -leaves, nodes - 1),
    gain = lightgbm_optional(fields, "split_gain", nodes), values = values,
    documents = whole_covers(lightgbm_optional(fields, "leaf_count", leaves))
  )
  need(!anyNA(tree$threshold), sprintf("%s has a number that cannot be.", what("threshold")))
  tree <- with_missing_rule(tree, whole("decision_type", nodes, 0, 15), place)
  need(length(walked_nodes(tree, place)) == nodes, sprintf("%s has nodes that nothing leads to.", place))
  tree
}

# Numbers that are only reported: 0 if they are missing or invalid.
lightgbm_optional <- function(fields, name, length) {
  values <- tryCatch(lightgbm_numbers(fields[[name]], name, length), error = function(e) NULL)
  if (base::length(values) != length || !all(is.finite(values))) rep(0, length) else values
}

# Bits of `type`: 1 shows a categorical split. 2 shows that missing values are sent to the left. The bits
# 4 and 8 hold a number that shows which values are missing: none (0), zeros and NaN (1), or NaN (2).
with_missing_rule <- function(tree, type, place) {
  need(all(bitwAnd(type, 1L) == 0L), sprintf("%s splits a categorical feature: it cannot be read.", place))
  left <- bitwAnd(type, 2L) > 0L
  missing <- bitwShiftR(type, 2L)
  need(all(missing < 3L), sprintf("%s has a `decision_type` that is not known.", place))
  threshold <- tree$threshold
  # A NaN is 0 if nothing is missing.
  zeros <- missing == 1L
  left[missing == 0L] <- 0 <= threshold[missing == 0L]
  # If zeros go to another child than neighbouring values, a second test would be needed.
  apart <- zeros & (left & threshold < -lightgbm_zero | !left & threshold > lightgbm_zero)
  need(!any(apart), sprintf("%s treats zeros as missing and splits them off: it cannot be read.", place))
  near <- zeros & abs(threshold) <= lightgbm_zero
  tree$threshold[near & left] <- lightgbm_zero
  tree$threshold[near & !left] <- previous_double(-lightgbm_zero)
  tree$missing_left <- as.integer(left)
  tree
}
