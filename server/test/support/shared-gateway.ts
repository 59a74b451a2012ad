import { after } from 'node:test';
import { consoleAs, type TestConsole, testConsole } from './console.ts';
import { apiOf, type TestGateway, testMerchant, zimboOf } from './gateway.ts';

/** Closed after the last test of the process. */
const undos: (() => unknown)[] = [];
after(async () => {
  for (const undo of undos) await undo();
});

let started: Promise<TestConsole> | undefined;

/** The gateway outlives each test, and queries payments that a test leaves waiting less and less often. */
const timing = { maxBackoffMs: 60_000 };

/**
 * The gateway that the tests of a process share; each test gets its own merchant. Starting a
 * gateway takes a third of a second of CPU, so tests that only look at their own merchant start
 * none.
 */
export async function sharedGateway(): Promise<TestGateway> {
  return (await sharedConsole()).gateway;
}

/** The same with its console. */
export async function sharedConsole(): Promise<TestConsole> {
  started ??= testConsole({ after: (undo) => undos.push(undo as () => unknown) }, { timing });
  const { gateway, origin } = await started;
  const { merchantId, key } = await testMerchant(gateway.database);
  const { url } = gateway;
  const own = { ...gateway, key, zimbo: zimboOf(url, key), api: apiOf(url, key) };
  return consoleAs(own, origin, merchantId);
}
