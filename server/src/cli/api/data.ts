import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

type Part = Record<string, unknown>;

export const dataHelp =
  'a field of the body, as items[0][name]=Café; the whole body, as JSON or @file.json; may be repeated';

/** Collects repeated --data in one body. */
export function dataArgument(text: string, before: Part = {}): Part {
  if (text.startsWith('@')) return { ...before, ...parsedObject(contentOf(text.slice(1))) };
  if (text.startsWith('{')) return { ...before, ...parsedObject(text) };
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const names = path && /^\w+(\[\w+\])*$/.test(path) ? path.split(/[[\]]+/).filter(Boolean) : [];
  const [first, ...rest] = names;
  if (first === undefined)
    throw new InvalidArgumentError('It must look like field=value, items[0][name]=value or @file.');
  return { ...before, [first]: withValue(before[first], rest, parsedValue(value ?? '')) };
}

/** Numbers are made arrays' indexes. */
function withValue(before: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const part = (before ?? (/^\d+$/.test(name) ? [] : {})) as Part;
  const copy = Array.isArray(part) ? ([...part] as unknown as Part) : { ...part };
  copy[name] = withValue(copy[name], rest, value);
  return copy;
}

/** Whole numbers, true, false and null as in JSON; anything else is text, and so is what stands in double quotes. */
function parsedValue(text: string): unknown {
  if (!/^(-?\d{1,15}|true|false|null|".*")$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parsedObject(text: string): Part {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Part;
  } catch {
    // The same words as for JSON of another kind.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}

function contentOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`The file cannot be read: ${(error as Error).message}.`);
  }
}
