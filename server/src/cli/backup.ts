import type { Command } from 'commander';

/** The options that restore and verify share. */
const identityOption = [
  '--identity <file>',
  'the file with the private key, for an encrypted backup',
] as const;

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup [file]')
    .description('write a consistent copy of the whole database to a new file, or to BACKUP_TO')
    .option('--if-due', 'only if BACKUP_SCHEDULE says so, and no other process is making one')
    .addHelpText('after', backupHelp)
    .action(async (file: string | undefined, options: { ifDue?: true }) => {
      if (file !== undefined && options.ifDue)
        backup.error('error: --if-due makes a backup in BACKUP_TO: leave FILE out');
      const { backUpTo, runConfiguredBackup } = await import('./make-backup.ts');
      await (file === undefined ? runConfiguredBackup(options) : backUpTo(file));
    });
  backup
    .command('list')
    .description('backups, and whether they were verified')
    .option('--json', 'print an array')
    .action(async (options) => (await import('./backup-list.ts')).listBackups(options));
  backup
    .command('verify <file>')
    .description('restore a backup into an empty database, check the ledger, and undo it')
    .option(...identityOption)
    .addHelpText('after', verifyHelp)
    .action(async (file, options) => (await import('./restore.ts')).verify(file, options));
  backup
    .command('key <file>')
    .description('make a key pair for encrypted backups: the private key goes to a new file')
    .action(async (file) => (await import('./backup-key.ts')).makeBackupKey(file));
  program
    .command('restore <file>')
    .description('fill an empty database with a backup')
    .option(...identityOption)
    .option(
      '--without-secret-key',
      'restore even though the secret key is lost: webhook secrets become unreadable',
    )
    .option(
      '--erasures <file>',
      'the file of erasures to repeat (default: erasures.jsonl in DATA_DIR)',
    )
    .addHelpText('after', restoreHelp)
    .action(async (file, options) => (await import('./restore.ts')).restore(file, options));
}

const backupHelp = `
The gateway may be running. The backup does not contain the secret key: keep that in another place.
Without a file, it goes to BACKUP_TO and is verified, and old backups there are removed. "-" is standard output.
With BACKUP_RECIPIENTS, it is encrypted. docs/backup.md says what the file contains.

Examples:
  $ zimbo backup
  $ zimbo backup "zimbo-$(date +%F).backup.gz"
  $ zimbo backup - | ssh backup@example.cv 'cat > zimbo.backup.gz'
  $ zimbo backup key backup.key
  $ zimbo backup list`;

const verifyHelp = `
Needs an empty database (BACKUP_VERIFY_DATABASE_URL), or without DATABASE_URL creates a temporary one. The file may be
on this machine, s3://BUCKET/NAME, or - for standard input.

Example:
  $ zimbo backup verify zimbo.backup.gz.age --identity backup.key`;

const restoreHelp = `
The database of DATABASE_URL, or the embedded one in DATA_DIR, must be empty. Its version of PostgreSQL may differ
from that of the backup. If the restore fails, the database stays empty. Erasures made after the backup are repeated
from the file of erasures. At the end, the ledger is checked. The file may be on this machine, s3://BUCKET/NAME, or
- for standard input.

Example:
  $ DATABASE_URL=postgres://zimbo:secret@db.internal/zimbo ZIMBO_SECRET_KEY=… zimbo restore FILE`;
