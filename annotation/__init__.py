"""People's judgements: schemes, rounds, agreement, aggregation, gold, release."""
