/** The story of the libraries, played by the TypeScript one against a gateway. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, testGateway } from '../../../server/test/support/gateway.ts';
import { testReceiver } from '../../../server/test/support/receiver.ts';
import { ZimboError } from '../src/error.ts';
import { List } from '../src/list.ts';

type Fields = Record<string, unknown>;

interface Step {
  call: string;
  path?: string[];
  body?: Fields;
  query?: Fields;
  key?: string;
  as?: string;
  expect?: Fields;
  expectFirst?: Fields;
  until?: Fields;
  error?: string;
  param?: string;
}

const file = join(import.meta.dirname, '..', '..', 'vectors', 'story.json');
const story: Step[] = JSON.parse(readFileSync(file, 'utf8'));

const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Amounts of answers are texts. */
const has = (answer: Fields, fields: Fields = {}) =>
  Object.entries(fields).every(([name, value]) =>
    typeof value === 'number' ? Number(answer[name]) === value : answer[name] === value,
  );

test('calls every operation of a gateway from TypeScript', async (context) => {
  const { zimbo } = await testGateway(context);
  const receiver = await testReceiver(context);
  const known: Record<string, unknown> = {
    receiver: receiver.url,
    month: new Date(Date.now() - 3_600_000).toISOString().slice(0, 7),
  };
  /** `$payment.id` is a field of an object of the story so far. */
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === 'object' && value !== null) return fillAll(value as Fields);
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    const [name, field] = value.slice(1).split('.');
    return field === undefined ? known[name!] : (known[name!] as Fields)[field];
  };
  const fillAll = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value)]));

  const call = async ({ call: name, path = [], body, query, key }: Step): Promise<Fields> => {
    const names = name.split('.');
    const method = names.pop()!;
    const owner = names.reduce<Fields>((found, each) => found[each] as Fields, zimbo as never);
    const given = Object.entries(fillAll({ ...body, ...query }));
    const fields = Object.fromEntries(
      given.map(([field, value]) => [query ? camel(field) : field, value]),
    );
    const hasFields = body !== undefined || query !== undefined;
    const parameters = [...path.map(fill), ...(hasFields ? [fields] : [])];
    if (key !== undefined) parameters.push({ idempotencyKey: key });
    const answer = (owner[method] as (...all: unknown[]) => unknown).apply(owner, parameters);
    const found = await (answer instanceof List ? answer.page() : answer);
    return (answer instanceof List ? (found as { data: Fields[] }).data[0] : found) as Fields;
  };

  for (const step of story) {
    if (step.error !== undefined) {
      const isRefusal = (error: unknown) =>
        error instanceof ZimboError &&
        error.code === step.error &&
        (step.param === undefined || error.param === step.param) &&
        error.requestId !== null;
      await assert.rejects(call(step), isRefusal, step.call);
      continue;
    }
    let answer: Fields = {};
    const until = fillAll(step.until ?? {});
    if (step.until === undefined) answer = await call(step);
    else {
      await eventually(`${step.call} reaches ${JSON.stringify(until)}`, async () => {
        answer = await call(step);
        return has(answer, until);
      });
    }
    const expected = fillAll({ ...step.expect, ...step.expectFirst });
    assert.ok(has(answer, expected), `${step.call}: ${JSON.stringify(answer)}`);
    if (step.as !== undefined) known[step.as] = answer;
  }
});
