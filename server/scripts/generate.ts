import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration.ts';
import { districtsPicture } from './districts-picture.ts';
import { envExample } from './env-example.ts';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

/** Writes the pages that come from the code: `npm run docs`. */
const pages = [
  { path: 'docs/configuration.md', content: configurationPage() },
  { path: 'deploy/.env.example', content: envExample() },
  { path: 'docs/districts.svg', content: districtsPicture() },
  { path: 'docs/openapi.json', content: await openApiDocument() },
  { path: 'docs/admin-openapi.json', content: await adminOpenApiDocument() },
];

const root = join(import.meta.dirname, '..', '..');
for (const { path, content } of pages) {
  writeFileSync(join(root, path), content);
  console.log(path);
}
