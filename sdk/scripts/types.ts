/** A schema of the OpenAPI document, as far as the gateway writes them. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Literal;
  enum?: Literal[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

type Literal = string | number | boolean | null;

export interface NamedTypes {
  /** The schema as TypeScript: the name of a type that is the same, or else the whole of it. */
  typeOf(schema: Schema): string;
  /** The schema under a name; the same schema is called so wherever it comes again. */
  declare(name: string, schema: Schema): void;
  /** What was declared, as code. */
  declarations(): string;
}

/** Remembers the schemas that have a name: the document repeats each of them in every answer that holds it. */
export function namedTypes(components: Record<string, Schema>): NamedTypes {
  const names = new Map<string, string>();
  const declared: string[] = [];
  const typeOf = (schema: Schema): string =>
    names.get(keyOf(schema)) ?? write(schema, components, typeOf);
  return {
    typeOf,
    declare(name, schema) {
      if (names.has(keyOf(schema))) return;
      declared.push(`export type ${name} = ${typeOf(schema)};\n`);
      names.set(keyOf(schema), name);
    },
    declarations: () => declared.join('\n'),
  };
}

/** Equal for equal schemas, whatever the order of their keys; and for enums of the same values. */
function keyOf(schema: Schema): string {
  return JSON.stringify(schema.enum ?? schema, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

const literal = (value: Literal) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

type TypeOf = (schema: Schema) => string;

function write(schema: Schema, components: Record<string, Schema>, typeOf: TypeOf): string {
  if (schema.$ref !== undefined) {
    const target = components[schema.$ref.replace('#/components/schemas/', '')];
    if (target === undefined) throw new Error(`${schema.$ref} leads nowhere`);
    return typeOf(target);
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum?.includes(null)) {
    return `${typeOf({ enum: schema.enum.filter((value) => value !== null) })} | null`;
  }
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  const types = [schema.type].flat();
  return types.map((type) => writeType(type, schema, typeOf)).join(' | ');
}

function writeType(type: string | undefined, schema: Schema, typeOf: TypeOf): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0
        ? writeObject(schema.properties, schema.required ?? [], typeOf)
        : 'Record<string, unknown>';
    default:
      throw new Error(`what type is this? ${JSON.stringify(schema)}`);
  }
}

function writeObject(
  properties: Record<string, Schema>,
  required: string[],
  typeOf: TypeOf,
): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    // Who builds a body from optional variables need not leave out the keys of those that are undefined.
    const [mark, orUndefined] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return `${comment(schema)}${name}${mark}: ${typeOf(schema)}${orUndefined};`;
  });
  return `{\n${indent(lines.join('\n'))}\n}`;
}

export const indent = (text: string) => text.replace(/^(?=.)/gm, '  ');

/** What the document says of a field, for whoever points at it in an editor. */
function comment({ description, minimum, maximum, maxLength }: Schema): string {
  const said = [
    description?.replace(/[.\s]*$/, '.'),
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
  ].filter(Boolean);
  return said.length > 0 ? `/** ${said.join(' ')} */\n` : '';
}
