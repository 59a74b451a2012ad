import type { TSchema, Type as TypeBox } from 'typebox';

/** Which schemas may be missing from an object; a copy of one is no longer among them. */
const optional = new WeakSet<object>();

const markOptional = (schema: TSchema): TSchema => {
  const marked = { ...schema };
  optional.add(marked);
  return marked;
};

const objectOf = (properties: Record<string, TSchema>, options?: object) => {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...options,
  };
};

const plain = (type: string) => (options?: object) => ({ type, ...options });

type Used =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unsafe';

/**
 * Schemas with the types of TypeBox, and as it would make them. Its own `Type` comes with nearly 400 modules,
 * a fifth of what a gateway would load.
 */
export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: plain('integer'),
  Null: plain('null'),
  Number: plain('number'),
  Object: objectOf,
  Optional: markOptional,
  String: plain('string'),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Pick<typeof TypeBox, Used>;
