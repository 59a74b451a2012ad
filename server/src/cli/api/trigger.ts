import { type Command, InvalidArgumentError } from 'commander';
import { eventTypes, testEventType } from '../../integrations/events/event.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { type Output, printJson } from '../output.ts';
import { withGateway, type ZimboEvent } from './connection.ts';
import { examples } from './examples.ts';
import { printEvent } from './print-responses.ts';

/** In test mode operators are always UP, and disbursements end by themselves. */
const untriggered = [
  'operator.status_changed',
  'disbursement.succeeded',
  'disbursement.failed',
  'disbursement.cancelled',
  'disbursement_batch.completed',
] as const;

const allTypes = [...eventTypes, testEventType];
export type TriggeredType = Exclude<(typeof allTypes)[number], (typeof untriggered)[number]>;

/** All types that one call makes happen. */
export const triggeredTypes = allTypes.filter(
  (type): type is TriggeredType => !untriggered.some((each) => each === type),
);

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
