import { textOf } from './schema.ts';
import { Type } from './type.ts';

const keyPattern = '^[\\x20-\\x7e]{1,255}$';

/** The headers of every POST that creates something. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    textOf(keyPattern, 'must be 1 to 255 printable ASCII characters', {
      description:
        'Repeating the key with the same body returns the original response, byte for byte, forever.',
    }),
  ),
});
