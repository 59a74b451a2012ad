import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox';

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
