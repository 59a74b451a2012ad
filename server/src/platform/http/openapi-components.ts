/** A part of an OpenAPI document: an object, an array, or a value in one. */
type Part = unknown;
type Schema = Record<string, Part>;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Moves each schema with a title to `components.schemas`, and replaces its uses by references, so that
 * generated clients have one named class for each object.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {};

  /** The same part with references in it. */
  refer(part: Part): Part {
    if (Array.isArray(part)) return part.map((one) => this.refer(one));
    if (typeof part !== 'object' || part === null) return part;
    const inner = Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, this.refer(value)]),
    );
    return this.#place(withSize(withType(closed(inner))));
  }

  #place(schema: Schema): Schema {
    const { title, ...named } = schema;
    if (typeof title !== 'string' || !isSchema(schema)) return schema;
    const { schema: plain, isNullable } = withoutNull(named);
    this.#add(title, plain);
    return isNullable ? { anyOf: [reference(title), { type: 'null' }] } : reference(title);
  }

  #add(name: string, schema: Schema): void {
    const there = this.schemas[name];
    // The description of a parameter stands beside its schema, not in it.
    if (there === undefined || (there.description === undefined && isSame(there, schema))) {
      this.schemas[name] = schema;
    } else if (!isSame(there, schema)) {
      throw new Error(`two schemas that differ are both called ${name}`);
    }
  }
}

const isSchema = (part: Schema) => 'type' in part || 'enum' in part || 'oneOf' in part;

/**
 * Forbids other properties by the alternative keyword of JSON Schema: generators for Java take the usual
 * keyword for a map with fields, and then send the object without its fields.
 */
function closed(schema: Schema): Schema {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? { ...rest, unevaluatedProperties: false } : schema;
}

/** Many generators would make a separate class of an enum without a type. */
function withType(schema: Schema): Schema {
  const { enum: values, type } = schema;
  if (!Array.isArray(values) || type !== undefined) return schema;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

const largestOf32Bits = 2 ** 31 - 1;

/** Many generators would make a number of 32 bits of an integer without a format. */
function withSize(schema: Schema): Schema {
  const { type, maximum } = schema;
  const isInteger = [type].flat().includes('integer');
  return isInteger && Number(maximum) > largestOf32Bits ? { ...schema, format: 'int64' } : schema;
}

function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return { schema, isNullable: false };
  const types = type.filter((name) => name !== 'null');
  const rest = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  const [only] = types;
  return {
    schema: { ...schema, ...rest, type: types.length === 1 ? only : types },
    isNullable: true,
  };
}

function isSame(one: Schema, other: Schema): boolean {
  const said = new Set(['description', 'examples', 'example']);
  const text = (schema: Schema) =>
    JSON.stringify(Object.entries(schema).filter(([name]) => !said.has(name)));
  return text(one) === text(other);
}
