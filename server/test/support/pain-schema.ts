import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

/**
 * The schema of the standard, as ISO 20022 publishes it (iso20022.org/terms-use: to be used and reproduced freely); copied
 * from the package `sepaxml` 2.7.0 of PyPI, with the line ends of this repository.
 */
const schema = readFileSync(join(import.meta.dirname, 'pain.001.001.09.xsd'), 'utf8');

/** What is wrong with messages of pain.001.001.09, in words of libxml2. */
export async function painProblems(...messages: string[]): Promise<string[]> {
  const xml = messages.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ message }) => message);
}
