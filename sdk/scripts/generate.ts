import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedModule } from './api.ts';

/** Writes the types of the API from its OpenAPI document: the second half of `npm run docs`. */
const root = join(import.meta.dirname, '..', '..');
const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));
writeFileSync(join(root, 'sdk', 'src', 'generated.ts'), generatedModule(document));
console.log('sdk/src/generated.ts');
