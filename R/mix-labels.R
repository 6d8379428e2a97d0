# Labels of the rankers of a mixture: the names that the user gave, else a text that distinguishes
# them.

# One label for each given ranker; all labels are different.
ranker_labels <- function(members) {
  specs <- lapply(members, spec_of_member)
  labels <- character(length(members))
  constructor <- vapply(specs, function(spec) written_as(spec)$name, "")
  for (name in unique(constructor)) {
    own <- constructor == name
    labels[own] <- labels_of_one_constructor(specs[own])
  }
  functions <- vapply(members, is_function_member, NA)
  labels[functions] <- vapply(members[functions], function(member) format(member$spec), "")
  named <- nzchar(rlang::names2(members))
  labels[named] <- names(members)[named]
  make.unique(labels, " #")
}

# Labels such as "gbrt()". Several rankers of one constructor are distinguished by as few settings
# as possible, among those that differ from the defaults: "gbrt(num_leaves = 8)".
labels_of_one_constructor <- function(specs) {
  written <- lapply(specs, written_as)
  settings <- unique(unlist(lapply(written, function(one) names(one$settings))))
  differ <- Filter(function(name) {
    length(unique(lapply(written, function(one) one$settings[[name]]))) > 1L
  }, settings)
  shown <- lapply(written, function(one) one$settings[intersect(names(one$settings), differ)])
  text <- function(settings) {
    sprintf("%s(%s)", written[[1L]]$name, paste(unlist(settings), collapse = ", "))
  }
  labels <- vapply(shown, text, "")
  for (i in seq_along(shown)) {
    for (name in names(shown[[i]])) {
      fewer <- shown[[i]][names(shown[[i]]) != name]
      if (!text(fewer) %in% labels[-i]) {
        shown[[i]] <- fewer
        labels[i] <- text(fewer)
      }
    }
  }
  labels
}
