import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Output, printJson } from '../output.ts';
import type { RedeliverWebhookEventsBody } from './connection.ts';
import { withGateway } from './connection.ts';
import { printItem } from './print-items.ts';
import { addForId, addList, examples, idArgument, show, withJson } from './resource.ts';

const id = 'the endpoint (we_…)';

/** The deliveries of an endpoint, and their redelivery. */
export function addDeliveryCommands(webhooks: Command): void {
  addForId(
    webhooks,
    'test',
    { about: 'send an event of the type webhook.test', id },
    (zimbo, endpointId) => zimbo.webhooks.sendTest(endpointId),
  );
  addList(webhooks, {
    name: 'deliveries',
    about: 'deliveries to an endpoint, newest event first',
    of: id,
    columns: {
      ID: 'id',
      STATUS: 'status',
      TYPE: 'eventType',
      EVENT: 'eventId',
      ATTEMPTS: 'attempts',
      AGE: 'createdAt',
      ERROR: 'error',
    },
    filters: [new Option('--status <status>', 'PENDING, SUCCEEDED or FAILED')],
    list: (zimbo, query, endpointId) => zimbo.webhooks.deliveries.list(endpointId, query),
  });
  withJson(
    webhooks
      .command('delivery')
      .description('one delivery, with its attempts')
      .argument('<id>', id, idArgument)
      .argument('<delivery>', 'the delivery (dl_…)', idArgument),
  ).action((endpointId: string, deliveryId: string, output: Output) =>
    show(output, (zimbo) => zimbo.webhooks.deliveries.get(endpointId, deliveryId)),
  );
  addRedeliver(webhooks);
}

interface RedeliverOptions extends Output, Partial<Omit<RedeliverWebhookEventsBody, 'status'>> {
  status?: 'PENDING' | 'SUCCEEDED' | 'FAILED';
}

function addRedeliver(webhooks: Command): void {
  const redeliver = webhooks
    .command('redeliver')
    .description('redeliver one event, or all events of a period')
    .argument('<id>', id, idArgument)
    .argument('[delivery]', 'one delivery (dl_…), or use --since', idArgument)
    .option('--since <instant>', 'events since this instant, such as 2026-11-21T08:00:00Z', instant)
    .option('--until <instant>', 'up to this instant (default: now)', instant)
    .option('--status <status>', 'only deliveries that are PENDING, SUCCEEDED or FAILED');
  withJson(redeliver)
    .addHelpText(
      'after',
      examples(
        'zimbo webhooks redeliver we_01m7yhp3gfe04vkhm96w446fdf dl_01m7yhp3gfe04vkhm96w446fdg',
        'zimbo webhooks redeliver we_01m7yhp3gfe04vkhm96w446fdf --since 2026-11-21T08:00:00Z --status FAILED',
      ),
    )
    .action((endpointId: string, deliveryId: string | undefined, options: RedeliverOptions) => {
      const { json, since, until, status } = options;
      if ((deliveryId === undefined) === (since === undefined))
        return redeliver.error('error: give either a delivery (dl_…) or --since');
      if (since !== undefined) return redeliverAll(endpointId, { since, until, status }, { json });
      return redeliverOne(endpointId, deliveryId!, { json });
    });
}

async function redeliverOne(endpointId: string, deliveryId: string, output: Output): Promise<void> {
  const delivery = await withGateway(({ zimbo }) =>
    zimbo.webhooks.deliveries.redeliver(endpointId, deliveryId),
  );
  printItem(delivery, output);
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

function instant(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must look like 2026-11-21T08:00:00Z.');
  return new Date(ms).toISOString();
}
