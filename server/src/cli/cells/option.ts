import type { Command } from 'commander';

let chosen: string | undefined;

/** Of --cell; undefined where none was given. */
export const chosenCell = (): string | undefined => chosen;

/** Gives a command, and those below it, --cell: what works on a database works in that of another cell unchanged. */
export function addCellOption(command: Command): void {
  command.option('--cell <name>', 'in this cell, of several (docs/cells.md)');
  for (const each of command.commands) addCellOption(each);
}

/** Before each command of this program: takes what its --cell says. */
export function takeCellOption(program: Command): void {
  program.hook('preAction', (_program, command) => {
    chosen = command.optsWithGlobals<{ cell?: string }>().cell;
  });
}
