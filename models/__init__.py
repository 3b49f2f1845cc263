"""Training, evaluation and calibration of the adapters that ship with VeriScite."""
