import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

/**
 * The schema as ISO 20022 publishes it (iso20022.org/terms-use: free to use and reproduce); copied
 * from `sepaxml` 2.7.0 on PyPI, with this repository's line ends.
 */
const schema = readFileSync(join(import.meta.dirname, 'pain.001.001.09.xsd'), 'utf8');

/** The problems of messages of pain.001.001.09, in the words of libxml2. */
export async function painProblems(...messages: string[]): Promise<string[]> {
  const xml = messages.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ message }) => message);
}
