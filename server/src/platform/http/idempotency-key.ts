import { Type } from 'typebox';

export const keyPattern = '^[\\x20-\\x7e]{1,255}$';
export const keyRule = 'must be 1 to 255 printable ASCII characters';

/** The headers of every POST that creates something. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: keyPattern,
      description:
        'The same key with the same body gets the original response, byte for byte, for ever.',
    }),
  ),
});
