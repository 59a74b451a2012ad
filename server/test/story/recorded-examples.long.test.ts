/** The examples of the API reference are what a gateway answers today: `npm run examples` records them anew. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedExamples } from '../../src/platform/http/openapi-examples.ts';
import { readRecorded, recordShop, shopExamples } from './shop.ts';
import { recordStaff, staffExamples } from './staff.ts';

/** Names and types; a code, such as a status, counts with its value. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].sort();
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => [name, shapeOf(field)]);
    return Object.fromEntries(fields);
  }
  return typeof value === 'string' && /^[A-Z][A-Z_]+$/.test(value) ? value : typeof value;
}

/** What is not the same at each hour, or on each machine. */
const varying = [
  'getDiagnosis',
  'listDueWork',
  // Which of two causes is reported first depends on the machine.
  'listNotices',
  'listOperatorStates',
  'listOperatorMeasurements',
];

/** Two instants of the story may be one in another run, and then the later ones are others. */
const withoutVarying = (errors: object) =>
  JSON.stringify(errors).replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?|_[0-9a-z]{26}/g, '…');

function assertSame(now: RecordedExamples, file: URL): void {
  const recorded = readRecorded(file);
  assert.deepEqual(Object.keys(now.operations), Object.keys(recorded.operations));
  for (const [id, { errors, answer, ...told }] of Object.entries(now.operations)) {
    const before = recorded.operations[id]!;
    const again = 'run "npm run examples"';
    assert.deepEqual(withoutVarying(errors), withoutVarying(before.errors), `${id}: ${again}`);
    const { errors: _errors, answer: _answer, ...asked } = before;
    assert.deepEqual(shapeOf(told), shapeOf(asked), `${id}: ${again}`);
    if (varying.includes(id)) continue;
    assert.deepEqual(shapeOf(answer), shapeOf(before.answer), `${id}: ${again}`);
  }
  assert.deepEqual(now.common, recorded.common);
}

test('a gateway answers the story of a shop as the reference shows', async (context) => {
  assertSame(await recordShop(context), shopExamples);
});

test('a gateway answers the story of the staff as the reference shows', async (context) => {
  assertSame(await recordStaff(context), staffExamples);
});
