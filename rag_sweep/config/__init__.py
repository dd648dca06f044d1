"""Hydra configs to configurations: beside the plugin shim the only room that imports hydra and omegaconf."""
