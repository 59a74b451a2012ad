-- Oldest program: 0.1.0
-- The state of each operator that all processes agree on, and how far its last change has been announced to merchants.
-- One row for each operator of live payments that was not UP at least once. No tenant stands here: it is about the operators.
CREATE TABLE operator_statuses (
  operator text PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('UP', 'DEGRADED', 'DOWN')),
  since_at timestamptz NOT NULL,
  -- Grows with each change, which is a compare-and-set on it.
  version integer NOT NULL,
  -- What was announced last; the words of the event are made when it begins, so that all merchants get the same.
  announced_status text NOT NULL CHECK (announced_status IN ('UP', 'DEGRADED', 'DOWN')),
  announced_version integer NOT NULL,
  announcement text,
  -- When the last announcement ended; null: there was none.
  announced_at timestamptz,
  -- While it is being written: the last tenant that has it. Null: all have it.
  announced_through uuid
) WITH (fillfactor = 50);
