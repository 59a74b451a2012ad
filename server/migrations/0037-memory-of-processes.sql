-- Oldest program: 0.1.0
-- What each process has in memory when it says that it is there; null from a program that does not tell it.
ALTER TABLE running_processes ADD COLUMN memory_bytes bigint;
