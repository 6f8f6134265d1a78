"""Stance models and their metrics."""
