import { type Command, InvalidArgumentError } from 'commander';
import { eventTypes, testEventType } from '../../integrations/events/event.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { type Output, printJson } from '../output.ts';
import { withGateway, type ZimboEvent } from './connection.ts';
import { examples } from './examples.ts';
import { printEvent } from './print-responses.ts';

/** All types but those that test mode does not have: its operators are always UP. */
export const triggeredTypes = [...eventTypes, testEventType].filter(
  (type) => type !== 'operator.status_changed',
);
export type TriggeredType = (typeof triggeredTypes)[number];

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger')
    .description('make an event happen in test mode, and show it')
    .argument('<type>', 'payment.debited, refund.failed …; see the list below', eventType)
    .option('--json', 'print the API’s response')
    .addHelpText('after', `\nTypes:\n  ${triggeredTypes.join('\n  ')}\n${help}`)
    .action(trigger);
}

const help = `
The command creates real payments, refunds and sessions with a test key, and picks the test numbers that lead to
the event. Progress goes to stderr. payment.expired takes PAYMENT_EXPIRY_SECONDS, a setting of the gateway.
webhook.test goes to the newest ACTIVE endpoint.
${examples('zimbo trigger payment.debited', 'zimbo trigger refund.failed --json')}`;

function eventType(text: string): TriggeredType {
  const type = triggeredTypes.find((one) => one === text);
  if (type) return type;
  throw new InvalidArgumentError(`The types are ${triggeredTypes.join(', ')}.`);
}

async function trigger(type: TriggeredType, output: Output): Promise<void> {
  const event = await withGateway(async ({ zimbo, url, mode }): Promise<ZimboEvent> => {
    if (mode === 'live') {
      throw new StartError(
        'This is a live key: it would move real money.',
        'Set ZIMBO_API_KEY to a test key (sk_test_…).',
      );
    }
    const { makeHappen } = await import('./trigger-event.ts');
    return makeHappen({ zimbo, url, say: (words) => console.error(words) }, type);
  });
  if (output.json) printJson(event);
  else printEvent(event);
}
