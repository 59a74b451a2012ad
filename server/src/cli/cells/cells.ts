import { type Command, Option } from 'commander';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Engine } from '../../tenants/cells/cell.ts';
import { addMoveCommand } from './move.ts';

const help = `
A cell is a schema that holds whole merchants. An installation has one, the home, and needs no other until its database
is too small. docs/cells.md says when, and what is in which.

Examples:
  $ zimbo cells create north
  $ zimbo cells create south --url postgres://zimbo:secret@db2.internal/zimbo
  $ zimbo cells list`;

export function addCellCommands(program: Command): void {
  const cells = program
    .command('cells')
    .description('spread merchants over several databases')
    .addHelpText('after', help);
  addCreate(cells);
  cells
    .command('list')
    .description('all cells, and whether they answer')
    .option('--json', 'print an array')
    .action(async (options) => (await import('./list.ts')).listAllCells(options));
  addMoveCommand(cells);
  cells
    .command('relocate')
    .description('move a cell on Citus to another node while it is served')
    .argument('<name>', 'its name')
    .requiredOption('--node <host:port>', 'where to, as Citus calls the node')
    .option('--json', 'print {"cell": …, "node": …}')
    .action(async (name, options) => (await import('./relocate.ts')).relocateCell(name, options));
  cells
    .command('settle')
    .description(
      'after a restore that "zimbo restore" did not make: find merchants that live elsewhere by now',
    )
    .argument('<name>', 'of the cell that was set back; home for the first')
    .option('--apply', 'take them out of it')
    .option(
      '--json',
      'print {"cell": …, "applied": …, "elsewhere": […], "lost": […], "silent": […]}',
    )
    .addHelpText('after', settleHelp)
    .action(async (name, options) => (await import('./settle.ts')).settleCell(name, options));
  cells
    .command('remove')
    .description('take a cell without merchants out of the installation; its schema stays')
    .argument('<name>', 'its name')
    .option('--lost', 'it is lost for good: what it held is given up')
    .option('--with-merchants <number>', 'with --lost: confirms how many merchants are lost', count)
    .option('--json', 'print {"removed": …}')
    .action(async (name, options) => (await import('./remove.ts')).removeCell(name, options));
  addSetUrl(cells);
}

function count(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StartError(`${JSON.stringify(text)} is no number of merchants.`);
}

function addSetUrl(cells: Command): void {
  cells
    .command('set-url')
    .description('change where a cell is reached: another host, or another password')
    .argument('<name>', 'its name')
    .requiredOption('--url <url>', 'of the database in which its schema is now')
    .option('--json', 'print {"cell": …, "place": …}')
    .addHelpText('after', setUrlHelp)
    .action(async (name, options) => (await import('./set-url.ts')).setUrl(name, options));
}

const setUrlHelp = `
The new address must lead to the same cell. Gateways use the old one until they are restarted. If it leads to another
database, and not to the same one by another address, stop them all first.

Example:
  $ zimbo cells set-url south --url postgres://zimbo:newer@db3.internal/zimbo`;
const settleHelp = `
A merchant that has moved since is then in two cells, and both would pay it out. Stop all gateways first.`;

export interface CreateOptions {
  url?: string;
  schema?: string;
  citus?: true;
  json?: true;
}

function addCreate(cells: Command): void {
  cells
    .command('create')
    .description('make a cell, or finish one that was begun')
    .argument('<name>', 'a short word: lower-case letters, digits and _', cellName)
    .option('--url <url>', 'of another database (default: a schema in that of the home)')
    .option('--schema <name>', 'the schema; it is made if it is not there (default: the name)')
    .addOption(new Option('--citus', 'on Citus, which keeps the schema on one of its nodes'))
    .option('--json', 'print the cell')
    .addHelpText('after', createHelp)
    .action(async (name: string, options: CreateOptions) =>
      (await import('./create.ts')).createCell(name, options),
    );
}

const createHelp = `
The URL is stored encrypted with the secret key. Running it again with the same options changes nothing.

Examples:
  $ zimbo cells create north
  $ zimbo cells create south --url postgres://zimbo:secret@db2.internal/zimbo --schema public`;

/** Also a name of a schema, which PostgreSQL reads without quotes. */
export function cellName(text: string): string {
  if (/^[a-z][a-z0-9_]{0,30}$/.test(text) && !text.startsWith('pg_')) return text;
  throw new StartError(
    `${JSON.stringify(text)} is no name for a cell or a schema: it should be a short word such as north.`,
    'It begins with a lower-case letter, and has up to 31 lower-case letters, digits and _.',
  );
}

export const engineOf = ({ citus }: CreateOptions): Engine => (citus ? 'CITUS' : 'POSTGRESQL');
