import {
  type ArrayOf,
  bigintArray,
  binaryArray,
  booleanArray,
  instantArray,
  integerArray,
  numericArray,
  textArray,
  uuidArray,
} from './arrays.ts';
import { type Queryable, type Statement, timestamp } from './database.ts';

/**
 * Statements that number their own parameters, and columns that are named once. All text is made when the program
 * starts and never changes, so each statement is parsed and planned once per connection.
 */

/** How values are sent, as an array and alone. */
interface Type<Value> {
  arrayOf: ArrayOf<Value, unknown>;
  single: (value: Value | null) => unknown;
}

const type = <Value>(
  arrayOf: Type<Value>['arrayOf'],
  single: Type<Value>['single'] = (value) => value,
): Type<Value> => ({ arrayOf, single });

const digits = (value: bigint | null) => value?.toString() ?? null;

const types = {
  uuid: type<string>(uuidArray),
  text: type<string>(textArray),
  integer: type<number>(integerArray),
  bigint: type<bigint>(bigintArray, digits),
  /** Whole numbers, however large. */
  numeric: type<bigint>(numericArray, digits),
  boolean: type<boolean>(booleanArray),
  bytea: type<Buffer>(binaryArray),
  /** Instants in milliseconds since 1970. */
  timestamptz: type<number>(instantArray, timestamp),
};

type TypeName = keyof typeof types;
type ValueOf<Name extends TypeName> =
  (typeof types)[Name] extends Type<infer Value> ? Value : never;
type TypeFor<Value> = {
  [Name in TypeName]: Value extends ValueOf<Name> ? Name : never;
}[TypeName];

/** One or more parameters of a statement. */
export interface Part<StatementInput> {
  count: number;
  /** The SQL of these parameters, if the first has this number. */
  sql: (first: number) => string;
  values: (given: StatementInput) => unknown[];
}

/** The input of a statement: rows, or one value of a type. */
export type Dependencies = Record<string, Part<never> | TypeName>;
type Given<Of extends Dependencies> = {
  [Name in keyof Of]: Of[Name] extends TypeName
    ? ValueOf<Of[Name]> | null
    : Of[Name] extends Part<infer Each>
      ? Each
      : never;
};

export interface Prepared<Of extends Dependencies> extends Statement {
  run: <Row>(database: Queryable, given: Given<Of>) => Promise<Row[]>;
}

/** A statement with its parameters: `text` receives the SQL of each by name. */
export function prepare<Of extends Dependencies>(statement: {
  name: string;
  given: Of;
  text: (given: Record<keyof Of, string>) => string;
}): Prepared<Of> {
  const dependencies = Object.entries(statement.given).map(([name, part]) => ({
    name,
    part: typeof part === 'string' ? single(part) : part,
  }));
  let next = 1;
  const texts = dependencies.map(({ name, part }) => {
    const sql = part.sql(next);
    next += part.count;
    return [name, sql] as const;
  });
  const text = statement.text(Object.fromEntries(texts) as Record<keyof Of, string>);
  const prepared = { name: statement.name, text };
  return {
    ...prepared,
    run: (database, given) =>
      database.query(
        prepared,
        dependencies.flatMap(({ name, part }) => part.values(given[name] as never)),
      ),
  };
}

function single(name: TypeName): Part<never> {
  return {
    count: 1,
    sql: (first) => `$${first}::${name}`,
    values: (value) => [types[name].single(value)],
  };
}

/** One parameter: an array of values. */
export function listOf<Name extends TypeName>(name: Name): Part<readonly ValueOf<Name>[]> {
  return {
    count: 1,
    sql: (first) => `$${first}::${name}[]`,
    values: (list) => [(types[name] as Type<unknown>).arrayOf(list)],
  };
}

/** The columns of a statement's input rows: by name, the type, and how to read the value of a row. */
export type Columns<Row> = Record<
  string,
  { [Name in TypeName]: readonly [Name, (row: Row) => ValueOf<Name> | null] }[TypeName]
>;

/** The columns of a nested object in each row. */
export const columnsIn = <Outer, Row>(
  inner: (row: Outer) => Row,
  columns: Columns<Row>,
): Columns<Outer> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, [type, of]]) => [
      name,
      [type, (row: Outer) => of(inner(row)) as never],
    ]),
  );

/** Rows with these columns, as the FROM item `unnest(…) AS alias (…)`. */
export interface Rows<Row> extends Part<readonly Row[]> {
  /** The columns as a list: `tenant_id, id, …` */
  names: string;
}

export function rowsOf<Row>(columns: Columns<Row>, alias = 'given'): Rows<Row> {
  const names = Object.keys(columns).join(', ');
  const all = Object.values(columns);
  return {
    names,
    count: all.length,
    sql: (first) => {
      const arrays = all.map(([name], index) => `$${first + index}::${name}[]`);
      return `unnest(${arrays.join(', ')}) AS ${alias} (${names})`;
    },
    values: (rows) =>
      all.map(([name, of], index) =>
        // `unnest` pads shorter arrays with NULL: a column without values is sent empty, except the first, which sets
        // the number of rows.
        (types[name] as Type<unknown>).arrayOf(rows, of, index === 0 ? 'SENT' : 'OMITTED'),
      ),
  };
}

/** The columns of a table, one for each field of its rows. */
export interface Table<Row> {
  /** For SELECT and RETURNING: `tenant_id AS "tenantId", id, …` */
  columns: string;
  /** The same for some fields only, in the order of the table. */
  columnsOf: (fields: readonly (keyof Row)[]) => string;
  /** The same with their values, except some fields: for rows that contain several of these. */
  columnsWithout: (...fields: (keyof Row)[]) => Columns<Row>;
  /** New rows as the input of a statement, without the fields that are the same in each. */
  rowsWithout: (...fields: (keyof Row)[]) => Rows<Row>;
}

/**
 * @param fields in the order of `columns`; `dueAtMs` has the column `due_at`, `feeMinor` has `fee_minor`
 * @param columnNames columns with other names than their fields
 */
export function table<Row>(
  fields: {
    [Field in keyof Row]-?: TypeFor<NonNullable<Row[Field]>>;
  },
  columnNames: { [Field in keyof Row]?: string } = {},
): Table<Row> {
  const all = Object.entries<TypeName>(fields).map(([field, name]) => ({
    field: field as keyof Row & string,
    column: columnNames[field as keyof Row] ?? columnOf(field),
    type: name,
  }));
  const columnsOf = (wanted: readonly (keyof Row)[]) =>
    all
      .filter(({ field }) => wanted.includes(field))
      .map(({ field, column }) => (column === field ? column : `${column} AS "${field}"`))
      .join(', ');
  const columnsWithout = (...without: (keyof Row)[]): Columns<Row> =>
    Object.fromEntries(
      all
        .filter(({ field }) => !without.includes(field))
        .map(({ field, column, type }) => [column, [type, (row: Row) => row[field] as never]]),
    );
  return {
    columns: columnsOf(all.map(({ field }) => field)),
    columnsOf,
    columnsWithout,
    rowsWithout: (...without) => rowsOf(columnsWithout(...without)),
  };
}

const columnOf = (field: string) =>
  field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
