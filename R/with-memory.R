# The exported functions whose memory grows with the data. Each runs within naming_memory(). The
# bodies are changed here, while the package is built, because one list is easier to check than a
# call in each function. R reads the files in the order of their names, so this one comes last.
# Methods of predict() that check their model do so within naming_memory() (asking_model()).
functions_of_data <- c(
  # files
  "read_evaluation", "read_folds", "read_letor", "read_qrels", "read_ranking", "read_run",
  "read_scores", "read_binned_data", "read_model", "write_binned_data", "write_letor", "write_model", "write_qrels",
  "write_run", "write_scores",
  # data
  "[.ranking_data", "binned_data", "as.data.frame.ranking_data", "as_qrels", "as_run",
  "c.ranking_data",
  "group_grades", "kernel_features", "query_folds", "ranking_data.data.frame", "ranking_data.default",
  "ranking_data.formula", "ranking_data.recipe", "rbind.ranking_data", "sample_grades",
  "simulate_ranking", "split_parts", "split_queries", "standardize_queries", "subset.ranking_data",
  "summary.ranking_data", "target_encoding", "use_label", "whiten_queries",
  # training
  "benchmark_rankers", "calibrate.default", "calibrate.rankmix_classifier", "distill",
  "fit.rankmix_fusion", "fit.rankmix_learned_fusion", "fit.rankmix_ranker", "fit.rankmix_spec",
  "choose_point", "infer_confusion", "learning_curve", "mix", "pareto_front", "rank_frame", "renew", "select_features",
  "tune_and_mix", "tune_ranker", "verify",
  # scores
  "aggregate_ranks", "augment.rankmix_ranker", "fuse", "pair_chain", "predict.rankmix_click_model",
  "predict.rankmix_cut", "predict.rankmix_distilled", "predict.rankmix_fusion_model", "predict.rankmix_kernel_map",
  "predict.rankmix_pair_chain", "predict.rankmix_probability_model", "predict.rankmix_truth",
  # evaluation
  "as_evaluation", "calibration_error", "compare_models", "compare_rankers", "convention_report", "cut_list",
  "cutoff_curves", "drift", "equivalence",
  "evaluate.default", "evaluate_clicks", "evaluate_diversity", "evaluate_ppi", "evaluate_sampled",
  "expected_dcg", "explore_queries", "judgement_bounds", "leave_out_runs", "metric_vec", "order_agreement",
  "query_report", "ranking_agreement", "rbo", "reliability", "reproduction",
  "summary.rankmix_evaluation", "trec_summary", "variance_parts",
  # explanations
  "explain.rankmix_ranker", "explain_pair", "partial_dependence", "permutation_importance",
  # clicks and assessors
  "assessor_agreement", "assessor_confusion", "click_log", "click_model", "click_perplexity",
  "dawid_skene", "examination", "examination_from_swaps", "interleave", "interleaving_result",
  "simulate_clicks"
)

within_naming_memory <- function(f) {
  body(f) <- call("naming_memory", body(f))
  f
}

for (name in functions_of_data) {
  assign(name, within_naming_memory(get(name)))
}
rm(name)
