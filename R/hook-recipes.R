#' Ranking data of a recipe
#'
#' Bakes a recipe of the package recipes and returns ranking data.
#'
#' @param x The recipe, trained by `prep()`. The roles of its variables determine their use. `"query"` is
#'   the query, or the combination of several variables. `"predictor"` are the features and `"outcome"` the
#'   relevance. `"document"`, `"weight"`, `"position"` and `"document_weight"` become the arguments of
#'   [ranking_data()] of the same names. `"label"` becomes `labels`. Variables with other roles are left
#'   out.
#' @param new_data The data frame to bake. `NULL` is the data of `prep()`. Ids of queries and documents that
#'   are text are taken from `new_data`, even if `prep()` did not see them.
#' @param ... Must be empty.
#' @return Ranking data, without grades if `new_data` lacks the outcome. A model trained on these data can
#' also predict for the result of `bake()`.
#' @section Conditions: `rankmix_error_recipe`: a recipe that is not trained, without a
#'   variable with the role `"query"`, or with several variables of one other role. Also the conditions of
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
#' @examples
#' if (rlang::is_installed("recipes")) {
#'   attachNamespace("recipes")
#'   frame <- data.frame(relevance = c(0, 2, 1, 0), query = c("a", "a", "b", "b"),
#'                       price = c(3, 1, 2, 5))
#'   recipe <- recipe(relevance ~ ., frame) |> update_role(query, new_role = "query") |> prep()
#'   ranking_data(recipe)
#' }
#' @export
ranking_data.recipe <- function(x, new_data = NULL, ...) {
  check_no_others(...)
  # This line comes first, because it loads recipes, whose summary() method is needed.
  bake <- of_package("recipes", "bake", "for `ranking_data()` of a recipe.")
  roles <- as.data.frame(trained_roles(x))
  ids <- roles$variable[roles$role %in% c("query", "document")]
  baked <- as.data.frame(bake(if (is.null(new_data)) x else without_levels(x, ids), new_data))
  of_role <- function(role) intersect(roles$variable[roles$role %in% role], names(baked))
  given <- lapply(c(relevance = "outcome", query = "query", document = "document",
                    weight = "weight", position = "position",
                    document_weight = "document_weight", labels = "label"), of_role)
  check_roles(given)
  # Labels are for training and evaluation.
  if (length(given$relevance) == 0L) given$labels <- character()
  given <- Filter(length, given)
  frame <- baked[unique(c(of_role("predictor"), unlist(given)))]
  # Names of columns become a call to c(), because a vector could be read as values of rows.
  for (name in intersect(c("query", "labels"), names(given))) {
    given[[name]] <- as.call(c(list(quote(c)), as.list(given[[name]])))
  }
  do.call(ranking_data, c(list(frame), given))
}

# bake() turns text into factors with the levels of the data of prep(), so new ids would become missing. It does not
# change columns whose levels the recipe does not know.
without_levels <- function(recipe, columns) {
  for (name in intersect(columns, names(recipe$levels))) recipe$levels[[name]] <- list(values = NA, ordered = NA)
  recipe
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
               remedy = paste("Give the query this role:",
                              "`update_role(recipe, day, new_role = \"query\")`."), call = call)
  }
  twice <- setdiff(names(given)[lengths(given) > 1L], c("query", "labels"))
  if (length(twice) > 0L) {
    stop_input("recipe", sprintf("Several variables of the recipe are the %s: %s.", twice[1L],
                                 enumerate(given[[twice[1L]]])),
               remedy = "Give all but one another role.", call = call)
  }
}
