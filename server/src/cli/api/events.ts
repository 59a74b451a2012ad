import { type Command, Option } from 'commander';
import { type Output, printFields, printJson } from '../output.ts';
import { withGateway, type ZimboEvent } from './connection.ts';
import { printItem } from './print-items.ts';
import { addList, examples, idArgument, withJson } from './resource.ts';

export function addEventCommands(program: Command): void {
  const events = program.command('events').description('what happened');
  addList(events, {
    about: 'events, newest first; "zimbo listen" shows them as they arrive',
    columns: { ID: 'id', TYPE: 'type', OBJECT: 'data.id', AGE: 'createdAt' },
    filters: [new Option('--type <type>', 'only events of this type, such as payment.debited')],
    list: (zimbo, query) => zimbo.events.list(query),
  });
  withJson(
    events
      .command('get')
      .description('one event, with its object as it was then')
      .argument('<id>', 'the event (evt_…)', idArgument),
  )
    .addHelpText('after', examples('zimbo events get evt_01m7yhp3gfe04vkhm96w446fde --json'))
    .action(async (id: string, output: Output) =>
      printEvent(await withGateway(({ zimbo }) => zimbo.events.get(id)), output),
    );
}

/** Prints the event, then its object. */
export function printEvent(event: ZimboEvent, output: Output): void {
  if (output.json) {
    printJson(event);
    return;
  }
  printFields({ Event: event.id, Type: event.type, At: event.createdAt });
  console.log('');
  printItem(event.data, output);
}
