import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventTypes, testEventType } from '../../integrations/events/event.ts';
import type { Output } from '../output.ts';
import { sinceOf } from '../parse-start-time.ts';
import type { EventType } from './connection.ts';
import { examples } from './examples.ts';

export interface ListenOptions extends Output {
  forwardTo: string;
  events?: EventType[];
  /** A signing secret to use instead of a new one. */
  secret?: string;
  sinceMs?: number;
}

const help = `
It needs neither a public address nor a webhook endpoint: it polls the gateway for events (events:read). Each event
is signed like a webhook, with the secret shown at the start. If your server does not accept an event, it gets it
again after 1, 5 and 15 s. Without --since, it forwards events from now on.
${examples(
  'zimbo listen --forward-to localhost:4400',
  'zimbo listen --forward-to http://localhost:8080/webhooks --events payment.debited,payment.failed',
  'ZIMBO_WEBHOOK_SECRET=whsec_… zimbo listen --forward-to localhost:4400 --since 10m',
)}`;

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forward your events to a server on this machine, as webhooks')
    .requiredOption('--forward-to <url>', 'your server; http:// is optional', localUrl)
    .option('--events <list>', 'only these types, separated by commas', eventTypeList)
    .addOption(
      new Option('--secret <secret>', 'sign with this secret (whsec_…) instead of a new one')
        .env('ZIMBO_WEBHOOK_SECRET')
        .argParser(signingSecret),
    )
    .option('--since <when>', 'how far back to start: 30s, 10m, 2h, 1d or a timestamp', sinceOf)
    .option('--json', 'print each attempt as a line of JSON')
    .addHelpText('after', help)
    .action(async ({ since, ...options }: ListenOptions & { since?: number }) => {
      const { listen } = await import('./forward-events.ts');
      await listen({ ...options, ...(since !== undefined && { sinceMs: since }) });
    });
}

function localUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return new URL(url).href;
  throw new InvalidArgumentError(
    'It must be a URL, such as localhost:4400 or http://localhost:4400/.',
  );
}

function eventTypeList(text: string): EventType[] {
  const known: EventType[] = [...eventTypes, testEventType];
  return text.split(',').map((name) => {
    const type = known.find((one) => one === name.trim());
    if (type) return type;
    throw new InvalidArgumentError(`There are ${known.join(', ')}.`);
  });
}

function signingSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be whsec_ followed by base64.');
}
