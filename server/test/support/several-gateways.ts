import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { compose, type Gateway } from '../../src/app/compose.ts';
import type { GatewayOptions } from '../../src/app/gateway-options.ts';
import type { FromWorker } from '../../src/app/processes/messages.ts';
import { PrimaryLink } from '../../src/app/processes/primary-link.ts';
import { Answers, type Asker } from '../../src/app/processes/primary-message-handler.ts';
import { sharedMachine } from '../../src/app/processes/worker-resources.ts';
import { settingsOfSlot } from '../../src/app/processes/worker-settings.ts';
import { pageLimits } from '../../src/app/shared-resources.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { cleanUp } from './cleanup.ts';

interface SeveralOptions {
  gatewayOptions: Omit<GatewayOptions, 'config'>;
  port: number | undefined;
}

/**
 * The gateways of several processes (ZIMBO_TEST_PROCESSES) within one: they take connections in
 * turn, and all messages between them and their primary pass through JSON.
 */
export async function severalGateways(
  context: Pick<TestContext, 'after'>,
  config: Config,
  { gatewayOptions, port = 0 }: SeveralOptions,
): Promise<{ url: string; gateway: Gateway }> {
  const askers = new Set<Asker>();
  const answers = new Answers({ count: config.processes, pages: pageLimits(config) }, askers);
  const gateways = Array.from({ length: config.processes }, (_, slot) => {
    const link = new PrimaryLink((message) =>
      setImmediate(() => answers.hear(JSON.parse(JSON.stringify(message)) as FromWorker, asker)),
    );
    const asker: Asker = {
      isLeaving: false,
      tell: (message) => {
        if (message.type === 'ANSWER') setImmediate(() => link.answered(message));
        else if (message.type === 'METRICS') {
          void gateway
            .metrics()
            .then((metrics) => link.tell({ type: 'METRICS', id: message.id, metrics }));
        }
      },
    };
    askers.add(asker);
    const machine = sharedMachine(config, link);
    const gateway = compose({ ...gatewayOptions, config: settingsOfSlot(config, slot), machine });
    return gateway;
  });
  const [first] = gateways;
  for (const gateway of gateways) await gateway.prepare();
  for (const { http } of gateways) await http.listen({ host: '127.0.0.1', port: 0 });
  let turn = 0;
  const door = createServer((socket) => {
    const { http } = gateways[turn++ % gateways.length]!;
    http.server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve));
  const { port: open } = door.address() as { port: number };
  if (config.role !== 'api') for (const gateway of gateways) gateway.startWorkers();
  let stopping: Promise<unknown> | undefined;
  const stop = async () => {
    door.close();
    stopping ??= Promise.all(gateways.map((gateway) => gateway.stop()));
    await stopping;
  };
  cleanUp(context, stop);
  return { url: `http://127.0.0.1:${open}`, gateway: { ...first!, stop } };
}
