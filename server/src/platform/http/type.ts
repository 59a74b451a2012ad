import type { TSchema, Type as TypeBox } from 'typebox';

/** The schemas of optional properties; a copy of such a schema is not among them. */
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
 * Makes the same schemas as TypeBox, with its types. TypeBox's own `Type` would load nearly 400 modules, a
 * fifth of all modules of a gateway.
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
