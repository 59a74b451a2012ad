/** Restarts behind the proxies of deploy/, while payments are created and pages are open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { proxies } from './support/deployed-proxies.ts';
import { openPages, RestartedGateway, SteadyLoad } from './support/restarts.ts';

const rolls = Number(process.env.TEST_ROLLS ?? 3);

/** As in deploy/Caddyfile: on a very busy machine, a start takes longer. */
const caddyHoldsMs = 20_000;

/** Distinguishes failures that the client can retry because the API says so from failures outside the API. */
const isOfApi = (failure: string) => /^500 .*"code": ?"UNAVAILABLE"/.test(failure);

for (const { name, skip, start } of proxies) {
  test(`rejects requests during a restart behind ${name} only in the API's format`, {
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
    if (isHeld) assert.deepEqual(failures, [], 'Caddy holds requests until the gateway is back');
  });

  test(`rejects no request behind ${name} while processes are replaced`, {
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
