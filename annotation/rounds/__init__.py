"""Rounds: who judges what, in which order, and what follows from it.

`capacity` answers how many items people can do; `design` deals pairs out to two annotators each;
`dealing` makes the assignments of a round; `judging` takes judgements and lets the third round follow;
`queue` says what comes next for somebody.
"""
