import { generatedModule, type OpenApiDocument } from './api.ts';
import { descriptionOf } from './description.ts';
import { goFile } from './go.ts';
import { phpFiles } from './php.ts';
import { pythonModels, pythonResources } from './python.ts';

/**
 * The generated files of all libraries, by their paths in the repository.
 * @param read returns the text of a file of the repository
 */
export function generatedFiles(read: (path: string) => string): Record<string, string> {
  const document: OpenApiDocument = JSON.parse(read('docs/openapi.json'));
  const description = descriptionOf(document);
  const php = Object.entries(phpFiles(description));
  return {
    'sdk/typescript/src/generated.ts': generatedModule(document),
    'sdk/go/generated.go': goFile(description),
    // A Go module is what lies in its folder at its tag: nothing can be added when it is published.
    'sdk/go/CHANGELOG.md': read('sdk/CHANGELOG.md'),
    'sdk/python/src/zimbo/_models.py': pythonModels(description),
    'sdk/python/src/zimbo/_resources.py': pythonResources(description),
    ...Object.fromEntries(php.map(([path, text]) => [`sdk/php/src/${path}`, text])),
  };
}
