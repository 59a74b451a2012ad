import { invalid } from '../errors/errors.ts';
import { Type } from './type.ts';

export type Metadata = Record<string, unknown>;

const mostKeys = 50;
const deepestLevel = 32;
const mostBytes = 64 * 1024;

/** The caller's own JSON object. `checkMetadata` enforces the rules that a schema cannot express. */
export const metadataSchema = Type.Unsafe<Metadata>({
  type: 'object',
  maxProperties: mostKeys,
  additionalProperties: true,
  description: `Your own key-value pairs: up to ${mostKeys} keys, any JSON values, 64 KiB and ${deepestLevel} levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.`,
});

/** The metadata as JSON text; refuses more than 50 keys, 32 levels or 64 KiB. */
export function checkMetadata(metadata: Metadata): string {
  if (Object.keys(metadata).length > mostKeys) {
    throw invalid('metadata', `must not have more than ${mostKeys} keys`);
  }
  if (levelsOf(metadata) > deepestLevel) {
    throw invalid('metadata', `must not be nested deeper than ${deepestLevel} levels`);
  }
  const text = JSON.stringify(metadata);
  if (Buffer.byteLength(text) > mostBytes) {
    throw invalid('metadata', 'must not be larger than 64 KiB as JSON');
  }
  return text;
}

/** Recursion is safe: the parser refused bodies that are nested deeper than 64 levels. */
function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, levelsOf(member));
  return deepest + 1;
}
