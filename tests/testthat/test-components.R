test_that("every component has the constructor of its name, and prints as its call", {
  constructor <- function(family, name) rankmix:::component_constructor(family, name)
  for (name in rankmix:::metric_names()) {
    expect_true(component_exported("metric", name), label = name)
  }
  for (name in setdiff(rankmix:::objective_makers, "lambda")) {
    made <- constructor("loss", name)()
    expect_true(component_exported("loss", name), label = name)
    expect_identical(eval(str2lang(format(made))), made, label = name)
  }
  for (name in rankmix:::calibrator_makers) {
    made <- constructor("calibrator", name)()
    expect_true(component_exported("calibrator", name), label = name)
    expect_identical(eval(str2lang(format(made))), made, label = name)
  }
  for (made in list(base_stump(), base_tree(4), base_hamming_tree(3), base_product(2),
                    fuse_rrf(), fuse_comb_mnz(), fuse_map(), mix_weights(c = 2), mix_grid(),
                    mix_holdout(), mix_budget(), search_bandit(), kernel_gaussian(2))) {
    expect_identical(eval(str2lang(format(made))), made, label = format(made))
  }
})
