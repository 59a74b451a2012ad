-- Oldest program: 0.1.0
-- What phones are asked for their PIN, and which do not want to be. Phones stand here as keyed digests, whose
-- key is encrypted with the gateway's secret key and stays when that is replaced.
CREATE TABLE phone_digest_key (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  box bytea NOT NULL
);

-- The latest prompt of a merchant (in live mode) on a phone, and how many of the day ended without a debit.
CREATE TABLE phone_prompts (
  tenant_id uuid NOT NULL,
  phone_digest bytea NOT NULL,
  payment_id uuid NOT NULL,
  version integer NOT NULL,
  -- Of the day that ends at day_ends_at; the latest prompt counts until it turns out to be debited.
  unanswered integer NOT NULL,
  -- Those in a row, of which the next pause follows.
  streak integer NOT NULL,
  next_at timestamptz NOT NULL,
  day_ends_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, phone_digest)
) WITH (fillfactor = 80);
CREATE INDEX phone_prompts_day_ends_at ON phone_prompts (day_ends_at);

-- The same over all merchants.
CREATE TABLE phone_prompt_totals (
  phone_digest bytea PRIMARY KEY,
  unanswered integer NOT NULL,
  day_ends_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX phone_prompt_totals_day_ends_at ON phone_prompt_totals (day_ends_at);

CREATE TABLE blocked_phones (
  phone_digest bytea PRIMARY KEY,
  -- For people: the country's code and the last two digits.
  masked_phone text NOT NULL,
  reason text,
  blocked_at timestamptz NOT NULL,
  blocked_by text NOT NULL
);
