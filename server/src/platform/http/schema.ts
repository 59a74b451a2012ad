import type { Static, TOptional, TSchema, TString, TStringOptions, TUnsafe } from 'typebox';
import { Type } from './type.ts';

/** A field that is always present and may be null. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>(orNull(schema));
}

/** A field of a request that may be left out, where null says the same. */
export function optional<Schema extends TSchema>(
  schema: Schema,
): TOptional<TUnsafe<Static<Schema> | null>> {
  return Type.Optional(nullable(schema));
}

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
}

/** Written into the type where there is one, since errors about `anyOf` say nothing to people. */
function orNull(schema: TSchema): TSchema {
  const { type, enum: values } = schema as JsonSchema;
  if (values === undefined && typeof type !== 'string') {
    return Type.Union([schema, Type.Null()]);
  }
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  };
}

const rules = new Map<string, string>();

/** Text of a form: @param rule says it to people, as in `must be a number`. */
export function textOf(pattern: string, rule: string, options: TStringOptions = {}): TString {
  rules.set(pattern, rule);
  return Type.String({ ...options, pattern });
}

/** What a pattern means, in words. */
export const ruleOfPattern = (pattern: string | undefined): string =>
  rules.get(pattern ?? '') ?? 'is not in the expected format';

/** The one of two fields that is given; null says that it is not. */
export function exactlyOneOf(one: string, other: string): object {
  const description = `Exactly one of ${one} and ${other} must be given.`;
  const given = (name: string) => ({
    required: [name],
    properties: { [name]: { not: { type: 'null' }, description } },
    description,
  });
  const missing = { properties: { [other]: { type: 'null', description } } };
  const dependencies = { if: given(one), met: missing, else: given(other) };
  // By entries, since an object with a "then" looks like a promise.
  const keywords = Object.entries(dependencies).map(([name, part]) => [
    name.replace('met', 'then'),
    part,
  ]);
  return Object.fromEntries(keywords);
}
