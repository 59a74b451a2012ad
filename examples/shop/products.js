import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The shop's products. Prices are whole centavos, as everywhere in the API: never fractions. */
export const products = JSON.parse(
  readFileSync(join(import.meta.dirname, 'products.json'), 'utf8'),
);
