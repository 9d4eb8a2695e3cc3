"""Steps from older databases to the newest."""
