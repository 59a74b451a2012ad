-- Oldest program: 0.1.0
-- What calls to operators came to and how long they took, summed over all processes by the minute and by the half-hour.
-- No tenant stands here: it is about the operators.
CREATE TABLE operator_measurements (
  slot_seconds integer NOT NULL CHECK (slot_seconds IN (60, 1800)),
  -- SIMULATOR for all of test mode.
  operator text NOT NULL,
  -- When the slot begins, by the clock of the database.
  slot_at timestamptz NOT NULL,
  -- Which call; or pause, for a circuit breaker that opened.
  call text NOT NULL,
  answer text NOT NULL,
  -- What the answer amounts to; it follows from the answer.
  outcome text NOT NULL CHECK (outcome IN ('ANSWERED', 'REFUSED', 'UNKNOWN', 'NOT_SENT', 'PAUSED')),
  call_count bigint NOT NULL,
  -- How many calls were as long as each bucket of measurements/durations.ts.
  durations integer[] NOT NULL,
  PRIMARY KEY (slot_seconds, operator, slot_at, call, answer)
) WITH (fillfactor = 80);

-- What each process that works knows of operators just now: pauses, and what waits in its memory. It also says
-- which flush of measurements was its last, so that none is counted twice.
CREATE TABLE operator_watchers (
  process_id uuid PRIMARY KEY,
  flush_number bigint NOT NULL,
  states jsonb NOT NULL,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 80);
