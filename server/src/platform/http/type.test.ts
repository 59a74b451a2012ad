import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type as TypeBox } from 'typebox';
import { Type } from './type.ts';

/** The same schema, made by TypeBox or by our replacement. */
function examples(type: typeof Type): TSchema[] {
  const text = type.String({ minLength: 1, title: 'Text' });
  return [
    type.Boolean(),
    type.Integer({ minimum: 0 }),
    type.Null(),
    type.Number({ maximum: 1 }),
    type.String(),
    text,
    type.Enum(['a', 'b'], { description: 'One of two.' }),
    type.Array(text, { maxItems: 3 }),
    type.Union([text, type.Null()], { title: 'Either' }),
    type.Unsafe<string | null>({ type: ['string', 'null'] }),
    type.Object({}),
    type.Object({ one: type.Optional(text) }, { additionalProperties: false }),
    type.Object({ one: text, other: type.Optional(text), third: type.Null() }),
    // What was optional is not, where only what it says is taken over.
    type.Object({ one: { ...type.Optional(text), title: 'Copied' } as TSchema }),
    type.Object({ one: type.Optional(type.Array(type.Object({ two: type.Optional(text) }))) }),
  ];
}

test('makes schemas byte-identical to those of TypeBox', () => {
  const text = (schemas: TSchema[]) => schemas.map((schema) => JSON.stringify(schema));
  assert.deepEqual(text(examples(Type)), text(examples(TypeBox)));
});
