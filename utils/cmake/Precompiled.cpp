// Carries the precompiled header; no code.
