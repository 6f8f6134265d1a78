"""Dawid–Skene: each worker has a confusion matrix; labels are what explains all answers best.

Source: Dawid & Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm* (1979).
Start: each item's share of votes. M-step: class priors are the mean posterior, a worker's matrix the
expected counts of answers given the true label. E-step: posteriors from priors and matrices, in logarithms.

Answers are a sparse matrix A (items × workers·K), so that both steps are one product: Aᵀ P and A log(e).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from annotation.aggregate.base import Aggregated, Settings, aggregated
from annotation.ratings import Floats, Mask, Ratings
from dalil.errors import DalilError, UsageError

SMALLEST = 1e-300
BLOCK_CELLS = 32_768
"""posteriors of a block: 256 KB, so that both steps find them in the cache"""


@dataclass(frozen=True, eq=False)
class WorkerModel:
    """What was learnt: priors (K), matrices (workers × answered label × true label), the way there."""

    workers: Sequence[str]
    labels: tuple[str, ...]
    priors: Floats
    errors: Floats
    log_likelihoods: tuple[float, ...]
    """marginal log-likelihood (natural) of the answers before each M-step; with smoothing, plus the
    logarithm of its Dirichlet prior up to a constant"""
    converged: bool

    @property
    def iterations(self) -> int:
        """How many E-steps were taken."""
        return len(self.log_likelihoods)


class DawidSkene:
    """EM until the log-likelihood gains less than `tolerance` a rating, at most `iterations` times.

    `smoothing` adds that many pseudo-answers to each cell of a worker's matrix (a Dirichlet prior).
    `floor` is the least expected count of an answer that a worker has ever given, whatever the true label:
    improbable, not impossible. With `floor=0` the log-likelihood cannot fall at all; with it, by no more
    than workers · K² · floor a step. An answer a worker never gave says nothing when it comes.
    """

    name: ClassVar[str] = "dawid-skene"
    soft: ClassVar[bool] = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.model: WorkerModel | None = None

    def fit(self, ratings: Ratings) -> Self:
        """Learn priors and matrices. DalilError where there is no vote."""
        votes = ratings.votes()
        if not len(votes):
            raise DalilError(
                "there are no votes to learn from", todo="leave --method out: rulings decide by themselves"
            )
        self.model = _expectation_maximisation(votes, self.settings)
        return self

    def predict(self, ratings: Ratings) -> Aggregated:
        """Posteriors of each item by the learnt matrices; workers that were not learnt say nothing."""
        if self.model is None:
            raise UsageError("Dawid–Skene has learnt nothing yet", todo="call fit first")
        votes = ratings.votes()
        if votes.labels != self.model.labels:
            raise UsageError("these ratings have other labels than those learnt from")
        answers, rows = _answers(votes, len(self.model.workers), _known(votes, self.model.workers))
        logs = _logarithms(self.model.priors, self.model.errors)
        totals = np.zeros((votes.n_items, votes.n_labels))
        totals[rows] = np.concatenate([_e_step(part, *logs)[0] for part in answers])
        return aggregated(self.name, self.soft, votes, totals, self.settings.seed, self.used())

    def used(self) -> dict[str, Any]:
        """Options and how the iteration ended."""
        model, own = self.model, self.settings
        out: dict[str, Any] = {
            "iterations": own.iterations,
            "tolerance": own.tolerance,
            "smoothing": own.smoothing,
            "floor": own.floor,
        }
        if model is not None:
            out |= {
                "iterations_done": model.iterations,
                "converged": model.converged,
                "log_likelihood": model.log_likelihoods[-1],
            }
        return out


def _expectation_maximisation(votes: Ratings, own: Settings) -> WorkerModel:
    answers, rows = _answers(votes, len(votes.workers), votes.worker)
    cells = votes.worker.astype(np.int64) * votes.n_labels + votes.label
    seen = np.bincount(cells, minlength=len(votes.workers) * votes.n_labels) > 0
    seen = seen.reshape(len(votes.workers), votes.n_labels, 1)
    counts = votes.counts()[rows]
    priors, errors = _m_step(_majority(answers, counts), own, seen)
    history: list[float] = []
    converged = False
    for _ in range(own.iterations):
        expected = _expected(answers, priors, errors)
        history.append(expected.log_likelihood + _log_prior(errors, own.smoothing))
        priors, errors = _m_step(expected, own, seen)
        if len(history) > 1 and history[-1] - history[-2] < own.tolerance * len(votes):
            converged = True
            break
    return WorkerModel(votes.workers, votes.labels, priors, errors, tuple(history), converged)


@dataclass(frozen=True, eq=False)
class _Expected:
    """Expected answers under the posteriors: class sizes (K), answers (workers·K × K); the likelihood."""

    classes: Floats
    answers: Floats
    log_likelihood: float


def _majority(answers: list[Any], counts: Floats) -> _Expected:
    """With each item's share of votes for posterior: where EM starts."""
    posterior = counts / counts.sum(axis=1, keepdims=True)
    total, start = np.zeros((answers[0].shape[1], counts.shape[1])), 0
    for part in answers:
        total += part.T @ posterior[start : start + part.shape[0]]
        start += part.shape[0]
    return _Expected(posterior.sum(axis=0), total, 0.0)


def _expected(answers: list[Any], priors: Floats, errors: Floats) -> _Expected:
    """E-step and the sums of the M-step, one block of items after another: each stays in the cache."""
    logs = _logarithms(priors, errors)
    classes, total, likelihood = np.zeros(len(priors)), np.zeros((logs[1].shape[0], len(priors))), 0.0
    for part in answers:
        posterior, own = _e_step(part, *logs)
        likelihood += own
        classes += np.ones(len(posterior)) @ posterior
        total += part.T @ posterior
    return _Expected(classes, total, likelihood)


def _answers(votes: Ratings, n_workers: int, worker: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """A as blocks of CSR rows over items that have votes, and which items those are.

    Worker −1 says nothing.
    """
    from scipy.sparse import csr_matrix

    rated = np.bincount(votes.item, minlength=votes.n_items) > 0
    row_of = np.cumsum(rated) - 1
    known = worker >= 0
    column = worker[known].astype(np.int64) * votes.n_labels + votes.label[known]
    shape = (int(rated.sum()), n_workers * votes.n_labels)
    made = csr_matrix((np.ones(int(known.sum())), (row_of[votes.item[known]], column)), shape=shape)
    step = max(1, BLOCK_CELLS // votes.n_labels)
    return [made[start : start + step] for start in range(0, shape[0], step)], np.flatnonzero(rated)


def _m_step(found: _Expected, own: Settings, seen: Mask) -> tuple[Floats, Floats]:
    """Priors (K) and matrices (workers × answer × truth). `seen`: answers a worker ever gave (w × K × 1)."""
    n_workers, k, _ = seen.shape
    priors = np.maximum(found.classes / found.classes.sum(), own.floor)
    priors /= priors.sum()
    expected = found.answers.reshape(n_workers, k, k) + own.smoothing
    np.maximum(expected, own.floor * seen, out=expected)
    whole = expected.sum(axis=1, keepdims=True)
    errors = np.divide(expected, whole, out=np.full_like(expected, 1 / k), where=whole > 0)
    return priors, errors


def _logarithms(priors: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Of priors (K) and matrices (workers·K × K). What is impossible is very improbable here, so that
    0 · log 0 never makes a NaN."""
    with np.errstate(divide="ignore"):
        log_errors, log_priors = np.log(errors).reshape(-1, len(priors)), np.log(priors)
    least = np.log(SMALLEST)
    return np.maximum(log_priors, least), np.maximum(log_errors, least)


def _e_step(answers: Any, log_priors: Floats, log_errors: Floats) -> tuple[Floats, float]:
    """Posteriors (items × K) and the marginal log-likelihood of the answers under these parameters."""
    joint = np.ascontiguousarray(np.asarray(answers @ log_errors).T)
    joint += log_priors[:, None]
    top = joint.max(axis=0)
    joint -= top
    np.exp(joint, out=joint)
    whole = joint.sum(axis=0)
    joint /= whole
    return np.ascontiguousarray(joint.T), float(top.sum() + np.log(whole).sum())


def _log_prior(errors: Floats, smoothing: float) -> float:
    return float(smoothing * np.log(errors).sum()) if smoothing > 0 else 0.0


def _known(votes: Ratings, workers: Sequence[str]) -> NDArray[Any]:
    """The votes' workers as codes of the learnt workers; −1 for others."""
    if votes.workers is workers:
        return votes.worker
    place = {name: code for code, name in enumerate(workers)}
    return np.array([place.get(name, -1) for name in votes.workers], dtype=np.int32)[votes.worker]
