"""From the results of sweeps to a decision: which configuration to promote, and how sure that is.

Everything here is computed from stored results; nothing is retrieved again, printed or sent anywhere.
"""
