import { type Command, Option } from 'commander';
import type { Output } from '../output.ts';
import type {
  CreateWebhookEndpointBody,
  RotateWebhookSecretBody,
  UpdateWebhookEndpointBody,
} from './connection.ts';
import { addDeliveryCommands } from './deliveries.ts';
import {
  addDelete,
  addForId,
  addList,
  examples,
  idArgument,
  names,
  show,
  showOnce,
  wholeNumber,
  withJson,
} from './resource.ts';

const id = 'the endpoint (we_…)';

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('the URLs that receive events');
  addList(webhooks, {
    about: 'endpoints, newest first',
    columns: { ID: 'id', STATUS: 'status', URL: 'url', EVENTS: 'events', AGE: 'createdAt' },
    list: (zimbo, query) => zimbo.webhooks.list(query),
  });
  addForId(webhooks, 'get', { about: 'one endpoint', id }, (zimbo, endpointId) =>
    zimbo.webhooks.get(endpointId),
  );
  addCreate(webhooks);
  addUpdate(webhooks);
  addDelete(
    webhooks,
    { about: 'remove an endpoint; its pending deliveries are dropped', id },
    (zimbo, endpointId) => zimbo.webhooks.delete(endpointId),
  );
  addRotateSecret(webhooks);
  addDeliveryCommands(webhooks);
}

const nobodyHas = (endpointId: string, options: string) =>
  `The new secret could not be shown. Create another:  zimbo webhooks rotate-secret ${endpointId}${options}`;

function addCreate(webhooks: Command): void {
  const create = webhooks
    .command('create')
    .description('send events to a URL; the secret is shown only once')
    .requiredOption('--url <url>', 'where to')
    .requiredOption('--events <list>', 'event types, separated by commas', names)
    .option('--description <text>', 'its purpose');
  withJson(create)
    .addHelpText(
      'after',
      examples(
        'zimbo webhooks create --url https://shop.example.cv/zimbo --events payment.debited,payment.failed',
      ),
    )
    .action(({ json, ...body }: Output & CreateWebhookEndpointBody) =>
      showOnce(
        { json },
        (zimbo) => zimbo.webhooks.create(body),
        ({ id: made }) => nobodyHas(made, ''),
      ),
    );
}

function addUpdate(webhooks: Command): void {
  const update = webhooks
    .command('update')
    .description('change the given fields')
    .argument('<id>', id, idArgument)
    .option('--url <url>', 'where to')
    .option('--events <list>', 'event types, separated by commas', names)
    .option('--description <text>', 'its purpose')
    .addOption(new Option('--status <status>', 'ACTIVE or DISABLED'));
  withJson(update)
    .addHelpText(
      'after',
      examples('zimbo webhooks update we_01m7yhp3gfe04vkhm96w446fdf --status ACTIVE'),
    )
    .action((endpointId: string, { json, ...body }: Output & UpdateWebhookEndpointBody) =>
      show({ json }, (zimbo) => zimbo.webhooks.update(endpointId, body)),
    );
}

function addRotateSecret(webhooks: Command): void {
  const rotate = webhooks
    .command('rotate-secret')
    .description('replace the signing secret; the new one is shown only once')
    .argument('<id>', id, idArgument)
    .option(
      '--overlap-hours <hours>',
      'how long the old one also signs: 0 to 72 (default: 24)',
      wholeNumber,
    )
    .option('--end-overlap', 'rotate although an earlier overlap is under way: it ends then');
  withJson(rotate).action(
    (endpointId: string, { json, ...body }: Output & NonNullable<RotateWebhookSecretBody>) =>
      showOnce(
        { json },
        (zimbo) => zimbo.webhooks.rotateSecret(endpointId, body),
        () => nobodyHas(endpointId, ' --end-overlap'),
      ),
  );
}
