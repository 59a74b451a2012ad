import { textOf } from './schema.ts';
import { Type } from './type.ts';

const keyPattern = '^[\\x20-\\x7e]{1,255}$';

const keyThat = (description: string) =>
  textOf(keyPattern, 'must be 1 to 255 printable ASCII characters', { description });
const headersThat = (description: string) =>
  Type.Object({ 'idempotency-key': Type.Optional(keyThat(description)) });

const forever =
  'Repeating the key with the same body returns the original response, byte for byte, forever.';

/** The headers of every POST that creates something. */
export const idempotencyHeaders = headersThat(forever);

/** The headers of a POST that would send money twice without a key. */
export const requiredKeyHeaders = Type.Object({
  'idempotency-key': keyThat(
    `Names the debt, not the attempt: under another key the money is sent again. ${forever}`,
  ),
});

/** The headers of every POST that acts on an existing object. */
export const actHeaders = headersThat(
  'Repeating the key with the same body returns the original response, byte for byte, for 30 days.',
);

/** The headers of a POST whose response cannot be repeated because it shows a secret. */
export const onceHeaders = headersThat(
  'Repeating the key has no effect, and is answered with 409.',
);
