"""Verifiers: the fine-tuned NLI encoder, and the blind verifier behind a chat model."""
