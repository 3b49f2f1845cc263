"""Measurements of the evidence stage."""
