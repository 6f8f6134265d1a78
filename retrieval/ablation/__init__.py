"""The ablation: what each query variant and each engine contributes to a corpus.

`corpus` and `runs` read what there is (a corpus with gold; TREC runs and qrels) into `material`; `figures`
counts and resamples; `tables`, `markdown`, `plot` and `export` show it.
"""
