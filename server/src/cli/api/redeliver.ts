import type { Command } from 'commander';
import type { RedeliverWebhookEventsBody } from '../../../../sdk/typescript/src/index.ts';
import { type Output, printJson } from '../output.ts';
import { instantOf } from '../parse-start-time.ts';
import { withGateway } from './connection.ts';
import { examples } from './examples.ts';
import { idArgument } from './fields.ts';
import { printItem } from './print-items.ts';

interface RedeliverOptions extends Output, Partial<RedeliverWebhookEventsBody> {}

/** One command for two operations: of one delivery, and of all in a period. */
export function addRedeliver(webhooks: Command): void {
  const redeliver = webhooks
    .command('redeliver')
    .description('redeliver one event, or all events of a period')
    .argument('<id>', 'the id (we_…)', idArgument)
    .argument('[delivery]', 'one delivery (dl_…), or use --since', idArgument)
    .option('--since <instant>', 'events since this instant, such as 2026-11-21T08:00:00Z', instant)
    .option('--until <instant>', 'up to this instant (default: now)', instant)
    .option('--status <status>', 'only deliveries that are PENDING, SUCCEEDED or FAILED')
    .option('--json', 'print the API’s response');
  redeliver
    .addHelpText(
      'after',
      examples(
        'zimbo webhooks redeliver we_01m7yhp3gfe04vkhm96w446fdf dl_01m7yhp3gfe04vkhm96w446fdg',
        'zimbo webhooks redeliver we_01m7yhp3gfe04vkhm96w446fdf --since 2026-11-21T08:00:00Z --status FAILED',
      ),
    )
    .action(async (id: string, deliveryId: string | undefined, options: RedeliverOptions) => {
      const { json, since, ...rest } = options;
      if ((deliveryId === undefined) === (since === undefined))
        return redeliver.error('error: give either a delivery (dl_…) or --since');
      if (since !== undefined) return redeliverAll(id, { since, ...rest }, { json });
      const deliver = withGateway(({ zimbo }) =>
        zimbo.webhooks.deliveries.redeliver(id, deliveryId!),
      );
      return printItem(await deliver, { json });
    });
}

/** Redelivers range after range, until the gateway reports no more. */
async function redeliverAll(
  endpointId: string,
  body: RedeliverWebhookEventsBody,
  { json }: Output,
): Promise<void> {
  const count = await withGateway(async ({ zimbo }) => {
    let sum = 0;
    let since: string | null = body.since;
    while (since !== null) {
      const answer = await zimbo.webhooks.redeliver(endpointId, { ...body, since });
      sum += answer.count;
      since = answer.nextSince;
    }
    return sum;
  });
  if (json) printJson({ count });
  else console.log(`${count} ${count === 1 ? 'event is' : 'events are'} being redelivered.`);
}

const instant = (text: string): string => new Date(instantOf(text)).toISOString();
