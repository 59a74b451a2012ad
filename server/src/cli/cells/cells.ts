import type { Command } from 'commander';
import { StartError } from '../../platform/errors/start-error.ts';

const help = `
A cell is a schema that holds whole merchants, and that Citus keeps on one of its nodes. An installation has one cell, the
home, and needs no other until its database is too small for the largest machine (docs/cells.md).

Examples:
  $ zimbo cells create north
  $ zimbo cells list
  $ zimbo cells move north --node worker-2:5432`;

export function addCellCommands(program: Command): void {
  const cells = program
    .command('cells')
    .description('spread merchants over the nodes of Citus')
    .addHelpText('after', help);
  cells
    .command('create')
    .description('create a cell, or finish one that was begun')
    .argument('<name>', 'a short word: lower-case letters, digits and _', cellName)
    .option(
      '--schema <name>',
      'its schema, which is created if necessary (default: the name)',
      cellName,
    )
    .option('--json', 'print the cell')
    .addHelpText('after', '\nRunning it again with the same options changes nothing.')
    .action(async (name: string, options: CreateOptions) =>
      (await import('./create.ts')).createCell(name, options),
    );
  cells
    .command('list')
    .description('list all cells, and whether they answer')
    .option('--json', 'print an array')
    .action(async (options) => (await import('./list.ts')).listAllCells(options));
  cells
    .command('move')
    .description('move a cell to another node of Citus while it is served')
    .argument('<name>', 'its name')
    .requiredOption('--node <host:port>', 'the node to move to, as Citus names it')
    .option('--json', 'print {"cell": …, "node": …}')
    .action(async (name, options) => (await import('./move.ts')).moveCell(name, options));
}

export interface CreateOptions {
  schema?: string;
  json?: true;
}

/** Also a name of a schema, which PostgreSQL reads without quotes. */
function cellName(text: string): string {
  if (/^[a-z][a-z0-9_]{0,30}$/.test(text) && !text.startsWith('pg_')) return text;
  throw new StartError(
    `${JSON.stringify(text)} is no name for a cell or a schema: it should be a short word such as north.`,
    'It begins with a lower-case letter, and has up to 31 lower-case letters, digits and _.',
  );
}
