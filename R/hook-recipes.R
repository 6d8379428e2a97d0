#' Ranking data of a recipe
#'
#' @param x A recipe of the package recipes that was trained by `prep()`. The roles of its
#'   variables tell what they are: `"query"` the query, of several variables their combination;
#'   `"predictor"` the features; `"outcome"` the grades; `"document"`, `"weight"` and `"position"`
#'   what [ranking_data()] calls so. Variables with other roles are left out.
#' @param new_data A data frame to be baked; `NULL` means the data of `prep()`. Ids of queries
#'   and documents that are text are those of `new_data`, also where `prep()` did not see them.
#' @param ... Must be empty.
#' @return Ranking data. Without the outcome in `new_data` they are not judged. A model of them
#'   predicts for them, and for what `bake()` gives.
#' @section Conditions: `rankmix_error_recipe`: a recipe that is not trained, or that has no
#'   variable with the role `"query"`, or several with one of the others. Conditions of
#'   [ranking_data()].
#' @section Use:
#' ```r
#' recipe <- recipe(grade ~ ., frame) |>
#'   update_role(day, new_role = "query") |>
#'   step_normalize(all_numeric_predictors()) |>
#'   prep()
#' model <- fit(gbrt(), ranking_data(recipe))
#' predict(model, ranking_data(recipe, new_data = tomorrow))
#' ```
#' @export
ranking_data.recipe <- function(x, new_data = NULL, ...) {
  check_no_others(...)
  # First, as its summary() is a method of that package.
  bake <- of_package("recipes", "bake", "for `ranking_data()` of a recipe.")
  roles <- as.data.frame(trained_roles(x))
  baked <- as.data.frame(bake(x, new_data))
  baked <- ids_as_given(baked, new_data, roles$variable[roles$role %in% c("query", "document")])
  of_role <- function(role) intersect(roles$variable[roles$role %in% role], names(baked))
  given <- lapply(c(relevance = "outcome", query = "query", document = "document",
                    weight = "weight", position = "position"), of_role)
  check_roles(given)
  given <- Filter(length, given)
  frame <- baked[unique(c(of_role("predictor"), unlist(given)))]
  # As a call to c(): as a vector they might be values of as many rows.
  given$query <- as.call(c(list(quote(c)), as.list(given$query)))
  do.call(ranking_data, c(list(frame), given))
}

# A recipe turns text into factors with the levels of the data of prep(), in which new ids
# are missing: ids that a step has not changed otherwise are those of the new data.
ids_as_given <- function(baked, new_data, columns) {
  for (name in intersect(columns, intersect(names(baked), names(new_data)))) {
    made <- baked[[name]]
    given <- new_data[[name]]
    if (is.factor(made) && length(made) == length(given) &&
          all(is.na(made) | as.character(made) == as.character(given))) {
      baked[[name]] <- given
    }
  }
  baked
}

trained_roles <- function(recipe, call = rlang::caller_env()) {
  roles <- summary(recipe)
  if (is.null(recipe$last_term_info)) {
    stop_input("recipe", "The recipe is not trained.", remedy = "Train it by `prep()` first.",
               call = call)
  }
  roles
}

check_roles <- function(given, call = rlang::caller_env()) {
  if (length(given$query) == 0L) {
    stop_input("recipe", "No variable of the recipe has the role \"query\".",
               remedy = paste("Say which is the query:",
                              "`update_role(recipe, day, new_role = \"query\")`."), call = call)
  }
  twice <- setdiff(names(given)[lengths(given) > 1L], "query")
  if (length(twice) > 0L) {
    stop_input("recipe", sprintf("Several variables of the recipe are the %s: %s.", twice[1L],
                                 enumerate(given[[twice[1L]]])),
               remedy = "Give all but one another role.", call = call)
  }
}
