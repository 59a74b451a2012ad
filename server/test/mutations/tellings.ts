import type { Mutation } from './list.ts';

const databaseDown = 'server/src/alerts/database-down.ts';
const outage = 'server/src/alerts/database-down.test.ts';
const again = 'who takes it and does not say so';
const live = 'server/src/doctor/live.test.ts';

/** Faults of what nobody hears of, or hears too late or too often. */
export const tellingMutations: readonly Mutation[] = [
  {
    name: 'alerts: the eleventh within an hour is never told',
    file: 'server/src/notifying/tell.ts',
    find: "if (kind === 'ALERT') return false;",
    replace: '',
    test: 'server/src/alerts/alerts.test.ts',
    only: 'an outage that trips every rule',
  },
  {
    name: 'alerts: each try to tell an outage of the database has an id of its own',
    file: databaseDown,
    find: `derivedUuid(outage.id, \`version \${versionOf(outage)} to \${who}\`)`,
    replace: `derivedUuid(randomUUID(), who)`,
    test: outage,
    only: again,
  },
  {
    name: 'alerts: the end of an outage of the database is tried once',
    file: databaseDown,
    find: 'outage.endedAtMs! > untilMs && this.#untold(outage).length > 0',
    replace: 'outage.endedAtMs! > untilMs && this.#untold(outage).length < 0',
    test: outage,
    only: again,
  },
  {
    name: 'bank accounts: no staff hear of a change',
    file: 'server/src/notifying/audience.ts',
    find: "staff: ['bank_accounts.write'],",
    replace: 'staff: [],',
    test: 'server/src/notifying/mails.test.ts',
    only: 'a changed bank account',
  },
  {
    name: 'bank accounts: quiet hours hold up the mail of a change',
    file: 'server/src/notifying/audience.ts',
    find: "staff: ['bank_accounts.write'],\n    choice: 'MAIL_ALWAYS',",
    replace: "staff: ['bank_accounts.write'],\n    choice: 'MAIL',",
    test: 'server/src/notifying/mails.test.ts',
    only: 'a changed bank account',
  },
  {
    name: 'doctor --live: two people for reviews are two for money',
    file: 'server/src/doctor/live-data-checks.ts',
    find: 'staff > 1 && lacking.length === 0',
    replace: 'staff > 1 && config.fourEyes.size > 0',
    test: live,
    only: 'two people are a second pair',
  },
  {
    name: 'merchants create: the id is printed only where the account was taken',
    file: 'server/src/cli/merchants.ts',
    find: `      printMade(merchantOf(view), json);
      if (account) await enterAccount(admin, view.id, account);`,
    replace: `      if (account) await enterAccount(admin, view.id, account);
      printMade(merchantOf(view), json);`,
    test: 'server/src/cli/admin/both-ways.test.ts',
    only: 'a merchant whose account needs two',
  },
];
