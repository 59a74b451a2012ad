import type { Static, TOptional, TSchema, TString, TStringOptions, TUnsafe } from 'typebox';
import { Type } from './type.ts';

/** A field that is always present and may be null. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>(orNull(schema));
}

/** An optional field of a request; null means the same as leaving it out. */
export function optional<Schema extends TSchema>(
  schema: Schema,
): TOptional<TUnsafe<Static<Schema> | null>> {
  return Type.Optional(nullable(schema));
}

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
}

/** Merged into the type if possible, since errors about `anyOf` mean nothing to people. */
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

/** Text with a format: @param rule explains it to people, as in `must be a number`. */
export function textOf(pattern: string, rule: string, options: TStringOptions = {}): TString {
  rules.set(pattern, rule);
  return Type.String({ ...options, pattern });
}

/** The meaning of a pattern, in words. */
export const ruleOfPattern = (pattern: string | undefined): string =>
  rules.get(pattern ?? '') ?? 'is not in the expected format';

/** Returns the given one of two fields; null counts as not given. */
export function exactlyOneOf(one: string, other: string): object {
  const description = `Exactly one of ${one} and ${other} must be given.`;
  const given = (name: string) => ({
    required: [name],
    properties: { [name]: { not: { type: 'null' }, description } },
    description,
  });
  const missing = { properties: { [other]: { type: 'null', description } } };
  const dependencies = { if: given(one), met: missing, else: given(other) };
  // Uses entries, since an object with a "then" would look like a promise.
  const keywords = Object.entries(dependencies).map(([name, part]) => [
    name.replace('met', 'then'),
    part,
  ]);
  return Object.fromEntries(keywords);
}
