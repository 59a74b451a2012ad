import {
  bigintArray,
  binaryArray,
  booleanArray,
  instantArray,
  integerArray,
  textArray,
  uuidArray,
} from './arrays.ts';
import { type Queryable, type Statement, timestamp } from './database.ts';

/**
 * Statements whose parameters number themselves, and columns that are named once. All text is made when
 * the program starts and never changes, so each statement is parsed and planned once per connection.
 */

/** How values are sent, as an array and alone. */
interface Type<Value> {
  arrayOf: (values: (Value | null)[]) => unknown;
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
  numeric: type<bigint>(
    (values) => `{${values.map((value) => value ?? 'NULL').join(',')}}`,
    digits,
  ),
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

/** Several parameters of a statement. */
export interface Part<Given> {
  count: number;
  /** The SQL that stands for it, where its first parameter has this number. */
  sql: (first: number) => string;
  values: (given: Given) => unknown[];
}

/** What a statement is given: rows, or one value of a type. */
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

/** A statement with its parameters: `text` gets the SQL of each by its name. */
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
    values: (list) => [types[name].arrayOf(list as never)],
  };
}

/** Of rows that a statement is given: by the name of each column its type, and its value of a row. */
export type Columns<Row> = Record<
  string,
  { [Name in TypeName]: readonly [Name, (row: Row) => ValueOf<Name> | null] }[TypeName]
>;

/** The columns of what each row holds in a field of its own. */
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
      all.map(([name, of], index) => {
        const column = rows.map((row) => of(row) as never);
        // `unnest` fills shorter columns up with NULL: one without any value is sent empty, but for the
        // first, which says how many rows there are.
        const isEmpty = index > 0 && column.every((value) => value === null);
        return types[name].arrayOf(isEmpty ? [] : column);
      }),
  };
}

/** The columns of a table, one for each field of its rows. */
export interface Table<Row> {
  /** For SELECT and RETURNING: `tenant_id AS "tenantId", id, …` */
  columns: string;
  /** The same of some fields only, in the order of the table. */
  columnsOf: (fields: readonly (keyof Row)[]) => string;
  /** The same with their values, but for some fields: for rows that hold more than one of these. */
  columnsWithout: (...fields: (keyof Row)[]) => Columns<Row>;
  /** New rows as a statement is given them, but for fields that are the same for each. */
  rowsWithout: (...fields: (keyof Row)[]) => Rows<Row>;
}

/**
 * @param fields in the order of `columns`; the column of `dueAtMs` is `due_at`, of `feeMinor` `fee_minor`
 * @param otherwise the columns that are not called like their fields
 */
export function table<Row>(
  fields: {
    [Field in keyof Row]-?: TypeFor<NonNullable<Row[Field]>>;
  },
  otherwise: { [Field in keyof Row]?: string } = {},
): Table<Row> {
  const all = Object.entries<TypeName>(fields).map(([field, name]) => ({
    field: field as keyof Row & string,
    column: otherwise[field as keyof Row] ?? columnOf(field),
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
