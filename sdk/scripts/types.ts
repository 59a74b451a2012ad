/** A schema of the OpenAPI document, limited to the features that the gateway uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Literal;
  enum?: Literal[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  /** An array that the SDK does not change. */
  isReadonly?: boolean;
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

type Literal = string | number | boolean | null;

export interface NamedTypes {
  /** The schema as TypeScript; a reference becomes the name of its target. */
  typeOf(schema: Schema): string;
  /** Declares the schema under a name. */
  declare(name: string, schema: Schema): void;
  /** The declarations, as code. */
  declarations(): string;
}

/** The document's schemas under their own names, and names for the others. */
export function namedTypes(components: Record<string, Schema>): NamedTypes {
  const declared: string[] = [];
  const typeOf = (schema: Schema): string => write(schema, components, typeOf);
  return {
    typeOf,
    declare(name, schema) {
      declared.push(`export type ${name} = ${typeOf(schema)};\n`);
    },
    declarations: () => declared.join('\n'),
  };
}

const literal = (value: Literal) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

type TypeOf = (schema: Schema) => string;

function write(schema: Schema, components: Record<string, Schema>, typeOf: TypeOf): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    if (components[name] === undefined) throw new Error(`${schema.$ref} has no target`);
    return name;
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum?.includes(null)) {
    return `${typeOf({ enum: schema.enum.filter((value) => value !== null) })} | null`;
  }
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(' | ');
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
      return `${schema.isReadonly ? 'ReadonlyArray' : 'Array'}<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0
        ? writeObject(schema.properties, schema.required ?? [], typeOf)
        : `Record<string, ${valuesOf(schema, typeOf)}>`;
    default:
      throw new Error(`no TypeScript type for this schema: ${JSON.stringify(schema)}`);
  }
}

const valuesOf = ({ additionalProperties: values }: Schema, typeOf: TypeOf) =>
  typeof values === 'object' ? typeOf(values) : 'unknown';

function writeObject(
  properties: Record<string, Schema>,
  required: string[],
  typeOf: TypeOf,
): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    // Lets a body contain keys whose variables are undefined.
    const [mark, orUndefined] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return `${comment(schema)}${name}${mark}: ${typeOf(schema)}${orUndefined};`;
  });
  return `{\n${indent(lines.join('\n'))}\n}`;
}

export const indent = (text: string) => text.replace(/^(?=.)/gm, '  ');

/** The document's description of a field, for editors. */
function comment({ description, minimum, maximum, maxLength }: Schema): string {
  const said = [
    description?.replace(/[.\s]*$/, '.'),
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
  ].filter(Boolean);
  return said.length > 0 ? `/** ${said.join(' ')} */\n` : '';
}
