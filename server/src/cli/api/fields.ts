import { InvalidArgumentError, Option } from 'commander';
import { type Field, typeOf } from './document.ts';

/** An option whose value becomes a field of the request. */
export interface FieldOption {
  field: Field;
  option: Option;
}

/** What the table says of a field's option beyond the document. */
export interface OptionTerms {
  flags?: string;
  description?: string;
  parse?: (text: string, before: never) => unknown;
  default?: unknown;
}

export function optionFor(field: Field, terms: OptionTerms = {}): FieldOption | undefined {
  const asked = { ...field, isRequired: field.isRequired && terms.default === undefined };
  const flags = terms.flags ?? flagsOf(field);
  if (flags === undefined) return undefined;
  const option = new Option(flags, terms.description ?? helpOf(asked));
  const parse = terms.parse ?? parserOf(field);
  if (parse && option.required) option.argParser(parse as (text: string) => unknown);
  if (terms.default !== undefined) option.default(terms.default);
  return { field, option };
}

/** Undefined: only --data can give it. */
function flagsOf(field: Field): string | undefined {
  const flag = `--${kebab(field.name)}`;
  if (isSwitch(field)) return flag;
  const value = placeholderOf(field);
  return value && `${flag} <${value}>`;
}

/** `operatorPhone`, `customer_id` and `Idempotency-Key` become `operator-phone` … */
export const kebab = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();

/** False is what happens without it. */
const isSwitch = ({ schema, description }: Field) =>
  typeOf(schema) === 'boolean' && description.endsWith('By default, false.');

const isCentavos = ({ name, schema, description }: Field) =>
  typeOf(schema) === 'integer' && /centavos|amount/i.test(`${name} ${description}`);

function placeholderOf(field: Field): string | undefined {
  const { name, schema } = field;
  switch (typeOf(schema)) {
    case 'integer':
      return isCentavos(field) ? 'centavos' : 'number';
    case 'boolean':
      return 'true|false';
    case 'array':
      if (schema.items?.enum) return kebab(name).split('-').at(-1);
      return typeOf(schema.items ?? {}) === 'object' ? undefined : 'list';
    case 'object':
      return schema.properties ? undefined : 'name=value';
    default:
      if (schema.format === 'date-time') return 'instant';
      if (schema.format === 'iri') return 'url';
      if (/(_id|Id|starting_after|ending_before)$/.test(name)) return 'id';
      return schema.enum || kebab(name).includes('-') ? kebab(name).split('-').at(-1) : 'text';
  }
}

const mostValues = 12;

/** The first sentence of the description. */
export const sentenceOf = ({ description }: Field): string =>
  lowerFirst(description.split(/(?<=\.) /, 1)[0]!.replace(/\.$/, ''));

/** What a later sentence says happens without it. */
const defaultIn = ({ description }: Field) => /\. By default, ([^.:]+)/.exec(description)?.[1];

/** The first sentence with the values that are allowed. */
function helpOf(field: Field): string {
  const { schema, isRequired } = field;
  const values = (schema.enum ?? schema.items?.enum ?? []).filter((value) => value !== null);
  const shown = values.slice(0, mostValues).join(', ') + (values.length > mostValues ? ' …' : '');
  const words = sentenceOf(field);
  const type = typeOf(schema);
  const standard = schema.default ?? (isSwitch(field) ? undefined : defaultIn(field));
  const notes = [
    ...(shown ? [shown] : []),
    ...(type === 'array' ? ['separated by commas'] : []),
    ...(type === 'object' ? ['may be repeated'] : []),
    ...(standard === undefined ? [] : [`default: ${String(standard)}`]),
    ...(isRequired ? ['required'] : []),
  ];
  return notes.length === 0 ? words : `${words} (${notes.join('; ')})`.trim();
}

export const lowerFirst = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

function parserOf(field: Field): ((text: string, before: never) => unknown) | undefined {
  const { schema, name } = field;
  switch (typeOf(schema)) {
    case 'integer':
      return isCentavos(field) ? centavos : (text) => wholeNumber(text, schema.minimum);
    case 'boolean':
      return trueOrFalse;
    case 'array':
      return names;
    case 'object':
      return nameAndValue as (text: string, before: never) => unknown;
    default:
      return ['starting_after', 'ending_before'].includes(name) ? nonEmpty : undefined;
  }
}

export function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** Accepts any id: the gateway itself refuses the id of another resource. */
export function idArgument(text: string): string {
  if (/^[a-z]{2,3}_\w+$/.test(text)) return text;
  throw new InvalidArgumentError('An id looks like pi_01m7yhp3gfe04vkhm96w446fdc.');
}

/** Parses an amount in the API's format. */
export function centavos(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Amounts are whole centavos: 10000 is 100.00.');
}

export function wholeNumber(text: string, minimum = 0): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  if (Number(text) >= minimum) return Number(text);
  throw new InvalidArgumentError(`It must be at least ${minimum}.`);
}

function trueOrFalse(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
}

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Collects repeated `name=value` options in one object. */
function nameAndValue(text: string, before: Record<string, string> = {}): object {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must look like name=value.');
  return { ...before, [name]: value ?? '' };
}
