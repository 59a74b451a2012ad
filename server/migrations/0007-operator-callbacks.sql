-- What we hear from real operators.

-- That an operator knows a request: without it, "not found" would be believed while the request is
-- under way. polls_left is what is left of the pollLimit of the operator.
CREATE TABLE operator_requests (
  tenant_id uuid NOT NULL,
  reference uuid NOT NULL,
  operator text NOT NULL,
  request_id text,
  polls_left integer CHECK (polls_left >= 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, reference)
);

-- The inbox: written before the operator is answered, then handled; the row is the job. An outcome that
-- is told again is the row that is there.
CREATE TABLE operator_callbacks (
  tenant_id uuid NOT NULL,
  operator text NOT NULL,
  reference uuid NOT NULL,
  outcome text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DEBIT', 'REFUND', 'REVERSAL')),
  body text NOT NULL,
  contradicts boolean NOT NULL DEFAULT false,
  due_at timestamptz,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, operator, reference, outcome)
);
CREATE INDEX operator_callbacks_due ON operator_callbacks (due_at) WHERE due_at IS NOT NULL;
