import type { Command } from 'commander';
import { atGateway } from './admin/connection.ts';
import { withId } from './failure.ts';
import { type Output, printJson } from './output.ts';

const help = `
DAILY, WEEKLY_MONDAY (or another day), MONTHLY_1 to MONTHLY_28, or MANUAL: only on request.

Example:
  $ zimbo merchants payouts me_… --schedule WEEKLY_FRIDAY`;

export function addScheduleCommand(merchants: Command): void {
  merchants
    .command('payouts <merchant>')
    .description('change or show a merchant’s payout days')
    .option('--schedule <schedule>', 'from the next run on')
    .option('--json', 'print {"schedule": …}')
    .addHelpText('after', help)
    .action(schedule);
}

type Options = Output & { schedule?: string };

async function schedule(merchant: string, { schedule: asked, json }: Options): Promise<void> {
  const path = { id: merchant };
  const now = await withId({ name: 'merchant', prefix: 'me' }, merchant, () =>
    atGateway<{ schedule: string }>(({ send }) =>
      asked === undefined
        ? send('getPayoutSchedule', { path })
        : send('changePayoutSchedule', { path, body: { schedule: asked } }),
    ),
  );
  if (json) printJson(now);
  else console.log(now.schedule);
}
