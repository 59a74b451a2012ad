import pg from 'pg';

/** The columns of a result, as pg keeps them. */
interface Shape {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

interface Connection {
  describe(message: object): void;
}

interface NamedStatement {
  name: string;
  text: string;
  binary?: boolean;
}

/** Receives the result, or the error. */
export type Answer = (error: Error | undefined, result?: pg.QueryResult) => void;

/** What pg's types do not declare of a query. */
interface PgQuery extends pg.Submittable {
  name: string;
  binary: boolean;
  _result: Shape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleCommandComplete(message: object, connection: Connection): void;
}
const Query = pg.Query as unknown as new (text: string, values: readonly unknown[]) => PgQuery;

/** The shapes of the named statements that a connection has run, and a view of it that asks for none. */
interface Described {
  shapes: Map<string, Shape>;
  undescribing: Connection;
}
const describedOf = new WeakMap<Connection, Described>();

function describedBy(connection: Connection): Described {
  const known = describedOf.get(connection);
  if (known) return known;
  const undescribing: Connection = Object.create(connection, { describe: { value: () => {} } });
  const described = { shapes: new Map<string, Shape>(), undescribing };
  describedOf.set(connection, described);
  return described;
}

/**
 * A query with a name asks PostgreSQL for the columns of its result once per connection. `pg` asks with every
 * execution, and reading the answer is a quarter of what a get allocates. PostgreSQL lets no later execution differ:
 * it refuses with "cached plan must not change result type".
 */
export class DescribedOnce extends Query {
  constructor({ name, text, binary = false }: NamedStatement, values: readonly unknown[] = []) {
    // `pg` would clone an object with all of these, property by property.
    super(text, values);
    this.name = name;
    this.binary = binary;
  }

  override prepare(connection: Connection): void {
    const { shapes, undescribing } = describedBy(connection);
    const shape = shapes.get(this.name);
    if (shape) {
      Object.assign(this._result, shape);
      this._accumulateRows = true;
    }
    super.prepare(shape ? undescribing : connection);
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    const { shapes } = describedBy(connection);
    if (shapes.has(this.name)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}
