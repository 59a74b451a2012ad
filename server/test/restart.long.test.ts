/** A restart behind the proxies of deploy/, while payments are created and pages are open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { proxies } from './support/deployed-proxies.ts';
import { openPages, RestartedGateway, SteadyLoad } from './support/restarts.ts';

const rolls = Number(process.env.TEST_ROLLS ?? 3);

/** As deploy/Caddyfile says: on a very busy machine, a start takes longer. */
const caddyHoldsMs = 20_000;

/** Told apart: what the client can send again because the API says so, and what is not the API's. */
const isOfApi = (failure: string) => /^500 .*"code": ?"UNAVAILABLE"/.test(failure);

for (const { name, skip, start } of proxies) {
  test(`a restart behind ${name} refuses in the words of the API, if at all`, {
    skip,
  }, async (context) => {
    const gateway = await RestartedGateway.start(context);
    const load = new SteadyLoad(await start(context, gateway.url), gateway.key);
    load.start(context);
    await delay(500);
    const startedMs = performance.now();
    await gateway.restart();
    const tookMs = Math.round(performance.now() - startedMs);
    await delay(500);
    await load.stop();
    const { answered, failures } = load;
    context.diagnostic(`restart of ${tookMs} ms: ${answered} answered, ${failures.length} refused`);
    assert.deepEqual(
      failures.filter((failure) => !isOfApi(failure)),
      [],
    );
    const isHeld = name === 'Caddy' && tookMs < caddyHoldsMs;
    if (isHeld) assert.deepEqual(failures, [], 'Caddy holds what cannot be sent yet');
  });

  test(`no request is refused behind ${name} while processes are replaced`, {
    skip,
  }, async (context) => {
    const gateway = await RestartedGateway.start(context, { ZIMBO_PROCESSES: '2' });
    const load = new SteadyLoad(await start(context, gateway.url), gateway.key);
    load.start(context, await openPages(gateway.url, gateway.key, 12));
    await delay(300);
    for (let round = 0; round < rolls; round++) await gateway.roll();
    await load.stop();
    const { answered, failures } = load;
    context.diagnostic(`${rolls} rolls: ${answered} answered, ${failures.length} refused`);
    for (const failure of new Set(failures)) context.diagnostic(failure);
    assert.deepEqual(failures, []);
  });
}
