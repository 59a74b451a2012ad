import { after } from 'node:test';
import { consoleAs, type TestConsole, testConsole } from './console.ts';
import { apiOf, type TestGateway, testMerchant, zimboOf } from './gateway.ts';

/** Undone after the last test of the process. */
const undos: (() => unknown)[] = [];
after(async () => {
  for (const undo of undos) await undo();
});

let started: Promise<TestConsole> | undefined;

/** Payments that a test leaves waiting are queried ever more seldom by the gateway of those that follow. */
const timing = { maxBackoffMs: 60_000 };

/**
 * The gateway that tests of one process share, with a merchant of the test's own. Starting a gateway takes a third of a
 * second of a processor, so tests that look only at what is their merchant's start none.
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
