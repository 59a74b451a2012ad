-- Oldest program: 0.1.0
-- What owners set for their shop. Null languages: all; a null time zone: that of the first currency. The history
-- says since which instant which time zone holds, because closed months keep theirs.
ALTER TABLE merchants
  ADD COLUMN tax_number text,
  ADD COLUMN receipt_text text,
  ADD COLUMN page_languages text,
  ADD COLUMN default_currency text,
  ADD COLUMN time_zone text,
  ADD COLUMN time_zone_history text;
ALTER TABLE merchants ADD CONSTRAINT merchants_tax_number CHECK (length(tax_number) <= 20);
ALTER TABLE merchants ADD CONSTRAINT merchants_receipt_text CHECK (length(receipt_text) <= 200);
ALTER TABLE merchants ADD CONSTRAINT merchants_page_languages
  CHECK (page_languages IN ('pt', 'en', 'pt,en', 'en,pt'));
ALTER TABLE merchants ADD CONSTRAINT merchants_default_currency CHECK (default_currency IN ('CVE', 'AOA'));
ALTER TABLE merchants ADD CONSTRAINT merchants_time_zone
  CHECK (time_zone IN ('Atlantic/Cape_Verde', 'Africa/Luanda'));
