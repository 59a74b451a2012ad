import { isGivenInstant } from '../formats/instant.ts';
import { normalizePhone, phoneFormat } from '../values/phone.ts';

/** The formats of texts in our schemas. */
export function addFormats(ajv: {
  addFormat(name: string, isOfFormat: (text: string) => boolean): unknown;
}): void {
  // Unlike "uri" this format accepts accented letters and URLs of apps.
  ajv.addFormat('iri', (text) => URL.canParse(text));
  ajv.addFormat('date-time', isGivenInstant);
  ajv.addFormat(phoneFormat, (text) => normalizePhone(text) !== undefined);
}
