import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Figures } from '../figures.ts';
import { callApi } from '../gateway/api.ts';
import { environmentOf, startGateway, zimboProgram } from '../gateway/gateway.ts';
import { endedChildrenMs } from '../gateway/processor.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';
import { spreadOf } from '../report/summary.ts';

/** The wait of a person at a terminal: a command that gets one payment from the gateway. */
export function commandSteps({ commands }: Plan, figures: Figures): Step[] {
  return [
    {
      name: 'zimbo payments get',
      seconds: 4 + commands,
      run: async () => {
        const gateway = await startGateway({ environment: { ZIMBO_ROLE: 'api' } });
        const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
        const answer = await callApi(gateway, 'POST', '/v1/payments', payment);
        const { id } = (await answer.json()) as { id: string };
        const { url, key } = gateway;
        // A warm-up for the file cache, which a frequently used command finds warm.
        await commandMs(['payments', 'get', id], { ZIMBO_URL: url, ZIMBO_API_KEY: key });
        const beforeMs = endedChildrenMs();
        const timesMs: number[] = [];
        for (let turn = 0; turn < commands; turn++)
          timesMs.push(
            await commandMs(['payments', 'get', id], { ZIMBO_URL: url, ZIMBO_API_KEY: key }),
          );
        const afterMs = endedChildrenMs();
        figures.set('commands.getMs', spreadOf(timesMs).median);
        if (beforeMs !== undefined && afterMs !== undefined)
          figures.set('commands.get.processorMs', (afterMs - beforeMs) / commands);
        await gateway.stop();
      },
    },
  ];
}

/** From the start of a command to its end. @throws if it fails */
async function commandMs(args: string[], environment: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  const child = spawn(zimboProgram, args, {
    env: environmentOf(environment),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  if (exitCode !== 0) throw new Error(`zimbo ${args.join(' ')} failed`);
  return performance.now() - startMs;
}
