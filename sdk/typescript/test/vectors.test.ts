/** The vectors that every library runs, in the TypeScript one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorOfAnswer, type Problem, ZimboError } from '../src/error.ts';
import { retryGapMs } from '../src/retry.ts';
import { verifyWebhook, WebhookVerificationError } from '../src/webhook.ts';
import { Zimbo } from '../src/zimbo.ts';

const vectors = <Case>(name: string): Case[] =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'vectors', `${name}.json`), 'utf8'),
  );

interface SignatureCase {
  name: string;
  bodyBase64: string;
  headers: Record<string, string>;
  secret: string;
  nowSeconds: number;
  eventId?: string;
  refusal?: string;
}

for (const given of vectors<SignatureCase>('signatures')) {
  test(`signatures: ${given.name}`, async () => {
    const body = Buffer.from(given.bodyBase64, 'base64');
    const now = new Date(given.nowSeconds * 1_000);
    const verified = verifyWebhook(body, given.headers, given.secret, { now });
    if (given.eventId !== undefined) assert.equal((await verified).id, given.eventId);
    else {
      const isRefused = (error: unknown) =>
        error instanceof WebhookVerificationError && error.reason === given.refusal;
      await assert.rejects(verified, isRefused);
    }
  });
}

interface RetryCase {
  status: number | 'CONNECTION_FAILED' | 'TIMEOUT';
  isRepeatable: boolean;
  failedBefore: number;
  random: number;
  retryAfterSeconds: number | null;
  gapMs: number | null;
}

test('retries as the other libraries do', () => {
  for (const { status, retryAfterSeconds, gapMs, ...attempt } of vectors<RetryCase>('retries')) {
    const failed =
      typeof status === 'string'
        ? { code: status }
        : { code: 'UNEXPECTED_ANSWER' as const, status };
    const error = new ZimboError({ ...failed, message: 'x', retryAfterSeconds });
    assert.equal(retryGapMs(error, attempt) ?? null, gapMs, JSON.stringify({ status, attempt }));
  }
});

interface ErrorCase {
  name: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  expect: {
    code: string;
    message: string | null;
    param: string | null;
    requestId: string | null;
    details: Problem[];
    retryAfterSeconds: number | null;
  };
}

for (const { name, status, headers, body, expect } of vectors<ErrorCase>('errors')) {
  test(`errors: ${name}`, () => {
    const error = errorOfAnswer(new Response(body, { status, headers }), body, 'key-1');
    const { code, param, requestId, details, retryAfterSeconds } = error;
    const message = expect.message === null ? null : error.message;
    const found = { code, message, param, requestId, details, retryAfterSeconds };
    assert.deepEqual(found, expect);
    assert.deepEqual([error.status, error.idempotencyKey], [status, 'key-1']);
  });
}

test('refuses the base URLs that the other libraries refuse', () => {
  for (const { url, isRefused } of vectors<{ url: string; isRefused: boolean }>('addresses')) {
    const make = () => new Zimbo('sk_test_vectors', { baseUrl: url });
    if (isRefused) assert.throws(make, TypeError, url);
    else make();
  }
});

const answers = vectors<{ name: string; body: string; isOfFields?: boolean }>('answers');
for (const { name, body } of answers.filter(({ isOfFields }) => !isOfFields)) {
  test(`answers: takes ${name} for none of a gateway`, async () => {
    const fetch = async () => new Response(body, { status: 200 });
    const zimbo = new Zimbo('sk_test_vectors', { baseUrl: 'http://gateway.test', fetch });
    const expected = { name: 'ZimboError', code: 'UNEXPECTED_ANSWER', status: 200 };
    await assert.rejects(zimbo.payments.get('pi_1'), expected);
  });
}

interface PageCase {
  name: string;
  limit: number | null;
  endingBefore?: number;
  answers: { data: number[]; hasMore: boolean }[];
  ids: number[];
  error?: string;
  queries: Record<string, number>[];
}

for (const given of vectors<PageCase>('pages')) {
  test(`pages: ${given.name}`, async () => {
    const queries: Record<string, number>[] = [];
    const answer = (input: unknown) => {
      const { searchParams } = new URL(String(input));
      const query = [...searchParams].map(([name, value]) => [
        name,
        Number(value.replace('re_', '')),
      ]);
      const { data, hasMore } = given.answers[queries.length]!;
      queries.push(Object.fromEntries(query));
      return Promise.resolve(
        Response.json({ data: data.map((id) => ({ id: `re_${id}` })), hasMore }),
      );
    };
    const zimbo = new Zimbo('sk_test_vectors', { baseUrl: 'http://gateway.test', fetch: answer });
    const ids: number[] = [];
    const walk = async () => {
      const { limit, endingBefore } = given;
      const query = {
        ...(limit !== null && { limit }),
        ...(endingBefore !== undefined && { endingBefore: `re_${endingBefore}` }),
      };
      for await (const { id } of zimbo.refunds.list(query)) ids.push(Number(id.slice(3)));
    };
    if (given.error === undefined) await walk();
    else await assert.rejects(walk(), { code: given.error });
    assert.deepEqual({ ids, queries }, { ids: given.ids, queries: given.queries });
  });
}
