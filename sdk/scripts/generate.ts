import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedModule } from './api.ts';
import { descriptionOf } from './description.ts';
import { pythonModels, pythonResources } from './python.ts';

/** Writes the types of the API for each library from its OpenAPI document: the second half of `npm run docs`. */
const root = join(import.meta.dirname, '..', '..');
const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));
const description = descriptionOf(document);
const files = {
  'src/generated.ts': generatedModule(document),
  'python/src/zimbo/_models.py': pythonModels(description),
  'python/src/zimbo/_resources.py': pythonResources(description),
};
for (const [path, text] of Object.entries(files)) {
  writeFileSync(join(root, 'sdk', path), text);
  console.log(`sdk/${path}`);
}
