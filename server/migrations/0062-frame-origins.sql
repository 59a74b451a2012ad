-- Oldest program: 0.1.0
-- The sites that may show the payment page inside their own pages. Null: none. Live and test have their own.
ALTER TABLE tenants ADD COLUMN frame_origins text[];
