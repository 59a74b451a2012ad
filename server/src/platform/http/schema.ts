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

type Keywords = Record<string, unknown>;

/** These fields are there, and not null. @param description explains the rule to people */
export const given = (names: readonly string[], description?: string): Keywords => ({
  required: names,
  ...everyOne(names, { not: { type: 'null' } }, description),
  ...said(description),
});

/** These fields are missing or null. @param description explains the rule to people */
export const missing = (names: readonly string[], description?: string): Keywords => ({
  type: 'object',
  ...everyOne(names, { type: 'null' }, description),
});

const said = (description: string | undefined) =>
  description === undefined ? {} : { description };

/** In an allOf: Redocly takes any other schema with properties for one that allows no further properties. */
function everyOne(names: readonly string[], rule: object, description?: string): Keywords {
  const rules = names.map((name) => [name, { ...rule, ...said(description) }]);
  return { allOf: [{ properties: Object.fromEntries(rules) }] };
}

/** The keywords of a condition. They come from entries, since an object with a "then" would look like a promise. */
export const either = (...parts: [condition: Keywords, met: Keywords, otherwise: Keywords]) =>
  Object.fromEntries(['if', 'then', 'else'].map((name, index) => [name, parts[index]])) as Keywords;

/** Returns the given one of two fields; null counts as not given. */
export function exactlyOneOf(one: string, other: string): object {
  const description = `Exactly one of ${one} and ${other} must be given.`;
  const rule = (check: typeof given, name: string) => check([name], description);
  return either(rule(given, one), rule(missing, other), rule(given, other));
}
