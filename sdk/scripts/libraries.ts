import { generatedModule, type OpenApiDocument } from './api.ts';
import { descriptionOf } from './description.ts';
import { goFile } from './go.ts';
import { phpFiles } from './php.ts';
import { pythonModels, pythonResources } from './python.ts';

/** The generated files of all libraries, by their paths in the repository. */
export function generatedFiles(document: OpenApiDocument): Record<string, string> {
  const description = descriptionOf(document);
  const php = Object.entries(phpFiles(description));
  return {
    'sdk/typescript/src/generated.ts': generatedModule(document),
    'sdk/go/generated.go': goFile(description),
    'sdk/python/src/zimbo/_models.py': pythonModels(description),
    'sdk/python/src/zimbo/_resources.py': pythonResources(description),
    ...Object.fromEntries(php.map(([path, text]) => [`sdk/php/src/${path}`, text])),
  };
}
