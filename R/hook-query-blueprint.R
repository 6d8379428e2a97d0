# Workflows pass only predictors and the outcome of a recipe to a model and to metrics. The blueprint binds the query,
# a column with the role "query", to the outcome, see query_truth().

#' Queries of a recipe for workflows
#'
#' Makes a blueprint of the package hardhat, so that workflows use the column with the role `"query"`. The outcome
#' then carries its queries, see [query_truth()]. Metrics of [query_metrics()] and the engine of [parsnip_engine] read
#' the queries from the outcome.
#'
#' @param ... Arguments of `default_recipe_blueprint()` of hardhat, such as `allow_novel_levels`.
#' @return A blueprint, for `add_recipe(recipe, blueprint = query_blueprint())`.
#' @details If several variables have the role `"query"`, their combination is the query. `predict()` and `augment()` do
#'   not need the query. If a step of the recipe uses the query in `bake()`, call
#'   `update_role_requirements(recipe, "query", bake = TRUE)`. New data then need the query.
#' @section Conditions: `rankmix_error_recipe`: no variable has the role `"query"`, there are several outcomes,
#'   or a step has changed the number of rows without `skip = TRUE`.
#' @section Use:
#' ```r
#' recipe <- recipe(grade ~ ., frame) |> update_role(day, new_role = "query")
#' workflow() |> add_recipe(recipe, blueprint = query_blueprint()) |> add_model(spec)
#' ```
#' @seealso [parsnip_engine] for a complete example, [ranking_data.recipe()] without workflows.
#' @examples
#' if (rlang::is_installed("hardhat")) class(query_blueprint())
#' @export
query_blueprint <- function(...) {
  made <- of_package("hardhat", "default_recipe_blueprint", "for `query_blueprint()`.")(...)
  structure(made, class = c("rankmix_query_blueprint", class(made)))
}

# hardhat's own blueprint, which does the work.
plain_blueprint <- function(blueprint) {
  structure(blueprint, class = setdiff(class(blueprint), "rankmix_query_blueprint"))
}

#' @exportS3Method hardhat::run_mold
run_mold.rankmix_query_blueprint <- function(blueprint, ..., data) {
  blueprint$recipe <- without_query_at_bake(blueprint$recipe)
  molded <- of_package("hardhat", "run_mold")(plain_blueprint(blueprint), ..., data = data)
  # Steps may have moved or removed rows, so the ids come from the recipe, which makes factors of text.
  queries <- lapply(as.data.frame(molded$extras$roles$query), function(id) if (is.factor(id)) as.character(id) else id)
  molded$outcomes <- outcomes_with_queries(molded$outcomes, as.data.frame(queries))
  class(molded$blueprint) <- c("rankmix_query_blueprint", class(molded$blueprint))
  molded
}

#' @exportS3Method hardhat::run_forge
run_forge.rankmix_query_blueprint <- function(blueprint, new_data, ..., outcomes = FALSE) {
  forged <- of_package("hardhat", "run_forge")(plain_blueprint(blueprint), new_data, ..., outcomes = outcomes)
  if (outcomes) {
    names <- query_variables(blueprint$recipe)
    lacking <- setdiff(names, names(new_data))
    if (length(lacking) > 0L) {
      stop_input("recipe", sprintf("The data have no column `%s`, which is the query.", lacking[1L]), call = NULL)
    }
    check_same_rows(forged$outcomes, new_data)
    # hardhat bakes without the queries, whose rows steps may have moved.
    queries <- of_package("recipes", "bake")(without_levels(blueprint$recipe, names), new_data)
    forged$outcomes <- outcomes_with_queries(forged$outcomes, as.data.frame(queries)[names])
  }
  forged
}

#' @exportS3Method hardhat::refresh_blueprint
refresh_blueprint.rankmix_query_blueprint <- function(blueprint) {
  made <- of_package("hardhat", "refresh_blueprint")(plain_blueprint(blueprint))
  structure(made, class = c("rankmix_query_blueprint", class(made)))
}

# bake() of a recipe requires variables of all roles. Scores do not need the query.
without_query_at_bake <- function(recipe) {
  roles <- summary(recipe)$role
  if (!"query" %in% roles) stop_no_query_role()
  given <- recipe$requirements$bake
  if ("query" %in% names(given)) recipe else {
    of_package("recipes", "update_role_requirements")(recipe, "query", bake = FALSE)
  }
}

query_variables <- function(recipe) {
  roles <- recipe$var_info
  roles$variable[roles$role %in% "query"]
}

outcomes_with_queries <- function(outcomes, queries) {
  if (ncol(outcomes) != 1L) {
    stop_input("recipe",
               sprintf("The recipe has %s, and a ranker needs one outcome.", counted(ncol(outcomes), "outcome")),
               remedy = "Give the role \"outcome\" to the grade alone.", call = NULL)
  }
  if (ncol(queries) == 0L) stop_no_query_role()
  outcomes[[1L]] <- query_truth(outcomes[[1L]], as.list(queries))
  outcomes
}

# Predictions must be for the rows of the new data.
check_same_rows <- function(outcomes, new_data) {
  if (nrow(outcomes) != nrow(new_data)) {
    stop_input("recipe", "A step of the recipe has changed the number of rows of new data.",
               remedy = "Set `skip = TRUE` in this step.", call = NULL)
  }
}

stop_no_query_role <- function() {
  stop_input("recipe", "No variable of the recipe has the role \"query\".",
             remedy = "Give the query this role: `update_role(recipe, day, new_role = \"query\")`.", call = NULL)
}
