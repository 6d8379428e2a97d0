# RankLib's text: an ensemble of trees with one element on each line, or the weights
# of a linear model. Features count from 1; a missing value is 0.

ranklib_lines <- function(model, options, call) {
  if (holds_trees(model)) {
    return(ranklib_trees(model, options, call))
  }
  if (!holds_sum(model)) {
    cannot_hold("It is neither trees nor a weighted sum.")
  }
  sum <- plain_sum(model, "ranklib", options, call)
  c("## Linear Regression", "## Lambda = 0",
    paste0(seq.int(0, length(sum$weights)), ":", exact_text(c(sum$intercept, sum$weights)),
           collapse = " "))
}

ranklib_trees <- function(model, options, call) {
  forest <- with_start(added_trees(model, call))
  threshold <- float_below(forest$threshold)
  check_zero_missing(any((0 <= threshold) != (forest$missing_left == 1L)), "ranklib", model,
                     options, call)
  trees <- nested_trees(
    forest, function(values) sprintf("<output> %s </output>\n", exact_text(values)),
    function(node, left, right) {
      paste0("<feature> ", forest$feature[node] + 1L, " </feature>\n<threshold> ",
             float_text(threshold[node]), " </threshold>\n<split pos=\"left\">\n", left,
             "</split>\n<split pos=\"right\">\n", right, "</split>\n")
    }
  )
  body <- paste0("<tree id=\"", seq_along(trees), "\" weight=\"1\">\n<split>\n", trees,
                 "</split>\n</tree>")
  c("## LambdaMART", "<ensemble>", unlist(strsplit(body, "\n", fixed = TRUE)), "</ensemble>")
}
