import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startScript } from '../floors/processes.ts';

test('measures a redelivery from the first event to the last', async (context) => {
  const receiver = await startScript(join(import.meta.dirname, 'counting-receiver.ts'), '3');
  context.after(() => receiver.stop());
  const deliver = () => fetch(receiver.url, { method: 'POST', body: '{}' });
  let delivered = 0;
  const told = receiver.nextLine().then((line) => ({ line, delivered }));
  const startMs = performance.now();
  for (; delivered < 3; delivered++) await deliver();
  const longestMs = performance.now() - startMs;
  const { line, delivered: then } = await told;
  assert.ok(then >= 2, `told after ${then}`);
  assert.ok(Number(line) > 0 && Number(line) <= longestMs, line);
});
