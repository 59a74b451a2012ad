-- Oldest program: 0.1.0
-- How customers reach the shop that they pay: shown on its payment pages and receipts.
ALTER TABLE merchants
  ADD COLUMN contact_phone text CHECK (contact_phone ~ '^\+[1-9][0-9]{7,14}$'),
  ADD COLUMN contact_email text CHECK (length(contact_email) <= 254),
  ADD COLUMN contact_website text CHECK (length(contact_website) <= 255);
