import type { Command } from 'commander';
import { notFound } from '../platform/errors/errors.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { formatId, parseId } from '../platform/values/ids.ts';
import type { StoredPerson } from '../tenants/people/account-store.ts';
import type { Belonging } from '../tenants/people/member-store.ts';
import { parseRole, roles } from '../tenants/people/permissions.ts';
import { parseStaffRole, staffRoles } from '../tenants/people/staff-permissions.ts';
import { staffTeam } from '../tenants/people/teams.ts';
import { atHome } from './cells/each.ts';
import { withId } from './failure.ts';
import { type Linking, printLink } from './invitation-link.ts';
import { type Output, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

const merchantIds = { name: 'merchant', prefix: 'me' } as const;
const listed = (names: readonly string[]) => names.map((name) => name.toLowerCase()).join(', ');
const roleNames = listed(roles);
const staffRoleNames = listed(staffRoles);

const help = `
A person who opens a link from "invite" chooses a passkey, or a password with one-time codes. A link works once, for seven days. Send it to nobody else: anyone with the link can use it.

Examples:
  $ zimbo people invite --merchant me_… --role finance ana@loja.cv
  $ zimbo people invite --staff admin rui@gateway.cv
  $ zimbo people reset ana@loja.cv
  $ zimbo people sessions end ana@loja.cv`;

export function addPeopleCommands(program: Command): void {
  const people = program
    .command('people')
    .description('people with access to the console')
    .addHelpText('after', help);
  people
    .command('invite')
    .description("create a link to join a merchant, or the gateway's staff")
    .argument('<email>', 'the e-mail of the person')
    .option('--merchant <id>', 'the merchant (me_…)')
    .option('--role <role>', `the role at the merchant: ${roleNames}`)
    .option('--staff <role>', `the role in the gateway's staff: ${staffRoleNames}`)
    .option('--mail', 'mail the link too (SMTP_URL)')
    .option('--json', 'print {"id": …, "url": …}')
    .action(invite);
  people
    .command('list')
    .description('everybody, with their merchants')
    .option('--merchant <id>', 'only members of this merchant (me_…)')
    .option('--staff', "only the gateway's staff")
    .option('--json', 'print an array')
    .action(list);
  people
    .command('reset')
    .description('create a link for a person who can no longer sign in')
    .argument('<email>', 'the e-mail of the person')
    .option('--mail', 'mail the link too (SMTP_URL)')
    .option('--json', 'print {"id": …, "url": …}')
    .action(reset);
  people
    .command('remove')
    .description('remove a person from a merchant, from the staff, or with all their data')
    .argument('<email>', 'the e-mail of the person, or the id (pe_…)')
    .option('--merchant <id>', 'only from this merchant (me_…)')
    .option('--staff', "only from the gateway's staff")
    .option('--json', 'print {"removed": true}')
    .action(remove);
  addLocks(people);
  const sessions = people.command('sessions').description('where a person is signed in');
  sessions
    .command('end')
    .description('sign a person out everywhere')
    .argument('<email>', 'the e-mail of the person, or the id (pe_…)')
    .option('--json', 'print {"ended": …}')
    .action(endSessions);
}

function addLocks(people: Command): void {
  people
    .command('disable')
    .description('disable a person: lock them out everywhere, at once')
    .argument('<email>', 'the e-mail of the person, or the id (pe_…)')
    .option('--json', 'print {"changed": …}')
    .action((email: string, options: Output) => lock(email, options, true));
  people
    .command('enable')
    .description('enable a disabled person again')
    .argument('<email>', 'the e-mail of the person, or the id (pe_…)')
    .option('--json', 'print {"changed": …}')
    .action((email: string, options: Output) => lock(email, options, false));
}

async function invite(
  email: string,
  options: Linking & { merchant?: string; role?: string; staff?: string },
): Promise<void> {
  if (options.mail) await (await import('./mail.ts')).configuredMailer();
  // A mistyped address must not create an installation.
  (await import('../tenants/people/person.ts')).parseEmail(email);
  const make = options.staff === undefined ? inviteToMerchant : inviteToStaff;
  const [made, config] = await make(email, options);
  await printLink(made, config, 'INVITATION', options);
}

async function inviteToMerchant(
  email: string,
  { merchant, role: named }: { merchant?: string; role?: string },
) {
  if (merchant === undefined || named === undefined) {
    throw new StartError('Name --merchant and --role, or --staff.');
  }
  const role = parseRole(named);
  if (!role) throw new StartError(`The role must be one of ${roleNames}.`);
  const [{ invite: make }, { findMerchant }] = await Promise.all([
    import('../tenants/people/invitations.ts'),
    import('../tenants/merchants/store.ts'),
  ]);
  return withId(merchantIds, merchant, (merchantId) =>
    atHome(async (home, anywhere) => {
      const findServed = (id: string) =>
        anywhere(async ({ database }) => {
          return (await findMerchant(database, id)) ?? Promise.reject(notFound('merchant'));
        });
      const invitation = await make({ ...home, findServed }, { merchantId, role, email });
      return [invitation, home.config] as const;
    }),
  );
}

async function inviteToStaff(
  email: string,
  { staff, merchant, role: other }: { staff?: string; merchant?: string; role?: string },
) {
  if (merchant !== undefined || other !== undefined) {
    throw new StartError('Name --merchant and --role, or --staff: not both.');
  }
  const role = parseStaffRole(staff!);
  if (!role) throw new StartError(`The role must be one of ${staffRoleNames}.`);
  const { invite: make } = await import('../tenants/people/invitations.ts');
  return withWorkspace(async (workspace) => {
    const invitation = await make(workspace, { ...staffTeam, role, email });
    return [invitation, workspace.config] as const;
  });
}

async function reset(email: string, options: Linking): Promise<void> {
  if (options.mail) await (await import('./mail.ts')).configuredMailer();
  const { makeReset } = await import('../tenants/people/invitations.ts');
  const [made, config] = await withWorkspace(
    async (workspace) => [await makeReset(workspace, email), workspace.config] as const,
  );
  await printLink(made, config, 'RESET', options);
}

async function list({
  merchant,
  staff,
  json,
}: Output & { merchant?: string; staff?: boolean }): Promise<void> {
  const { findPeople } = await import('../tenants/people/account-store.ts');
  const { findBelongings } = await import('../tenants/people/member-store.ts');
  const only = merchant === undefined ? undefined : parseId('me', merchant);
  const people = await withWorkspace(async ({ database }) => {
    const belongings = await findBelongings(database);
    return (await findPeople(database))
      .map((person) => ({
        person,
        at: belongings.filter(({ personId }) => personId === person.id),
      }))
      .filter(
        ({ at }) => merchant === undefined || at.some(({ merchantId }) => merchantId === only),
      )
      .filter(({ person }) => !staff || person.staffRole !== null);
  });
  if (json) printJson(people.map(viewOf));
  else if (people.length === 0)
    console.log(
      'There are no people yet. Invite someone:  zimbo people invite --merchant ID --role owner EMAIL',
    );
  else {
    printTable(
      ['ID', 'E-MAIL', 'NAME', 'SIGNS IN WITH', 'ROLES'],
      people.map(({ person, at }) => [
        formatId('pe', person.id),
        person.email ?? 'none',
        person.name,
        waysOf(person),
        rolesOf(person, at),
      ]),
    );
  }
}

function rolesOf({ staffRole }: StoredPerson, at: Belonging[]): string {
  const own = staffRole === null ? [] : [`staff ${staffRole}`];
  return [
    ...own,
    ...at.map(
      ({ merchantId, role, roleName }) => `${formatId('me', merchantId)} ${roleName ?? role}`,
    ),
  ].join(', ');
}

function viewOf({ person, at }: { person: StoredPerson; at: Belonging[] }) {
  const { id, email, name, language, createdAtMs, disabledAtMs, hasPassword, hasPin, passkeys } =
    person;
  return {
    id: formatId('pe', id),
    email,
    name,
    language,
    createdAt: new Date(createdAtMs).toISOString(),
    disabledAt: disabledAtMs === null ? null : new Date(disabledAtMs).toISOString(),
    hasPassword,
    hasPin,
    passkeys,
    staffRole: person.staffRole,
    memberships: at.map(({ merchantId, role, roleName }) => ({
      merchant: formatId('me', merchantId),
      role,
      ...(roleName !== null && { roleName }),
    })),
  };
}

function waysOf({ hasPassword, hasPin, passkeys, identities, disabledAtMs }: StoredPerson): string {
  if (disabledAtMs !== null) return 'nothing: disabled';
  const ways = hasPassword ? ['password'] : [];
  if (passkeys > 0) ways.push(passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`);
  if (identities > 0) ways.push('single sign-on');
  if (hasPin) ways.push('PIN');
  return ways.join(', ') || 'nothing';
}

async function remove(
  email: string,
  { merchant, staff, json }: Output & { merchant?: string; staff?: boolean },
): Promise<void> {
  if (staff && merchant !== undefined)
    throw new StartError('Name --merchant or --staff: not both.');
  const { removeMember, removePerson } = await import('../tenants/people/members.ts');
  await withPerson(email, (workspace, personId) => {
    if (staff) return removeMember(workspace, { ...staffTeam, personId });
    if (merchant === undefined) return removePerson(workspace, personId);
    return withId(merchantIds, merchant, (merchantId) =>
      removeMember(workspace, { merchantId, personId }),
    );
  });
  if (json) printJson({ removed: true });
  else if (staff || merchant !== undefined) console.log('Removed.');
  else console.log('Removed, and signed out everywhere.');
}

async function lock(email: string, { json }: Output, disabled: boolean): Promise<void> {
  const { disablePerson } = await import('../tenants/people/members.ts');
  const changed = await withPerson(email, (workspace, personId) =>
    disablePerson(workspace, personId, disabled),
  );
  if (json) printJson({ changed });
  else if (changed) console.log(disabled ? 'Locked out everywhere.' : 'They can sign in again.');
  else console.log(`They ${disabled ? 'are disabled already' : 'were not disabled'}.`);
}

async function endSessions(email: string, { json }: Output): Promise<void> {
  const { endAllSessions } = await import('../tenants/people/sessions.ts');
  const ended = await withPerson(email, endAllSessions);
  if (json) printJson({ ended });
  else console.log(`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`);
}

/** Runs with the id of the person with this e-mail, or of this id. @throws StartError if there is nobody */
function withPerson<T>(
  email: string,
  run: (workspace: Workspace, personId: string) => Promise<T>,
): Promise<T> {
  return withWorkspace(async (workspace) => {
    const { findPerson, findPersonByEmail } = await import('../tenants/people/account-store.ts');
    const id = parseId('pe', email);
    const person =
      id === undefined
        ? await findPersonByEmail(workspace.database, email)
        : await findPerson(workspace.database, id);
    if (person) return run(workspace, person.id);
    const name = JSON.stringify(email);
    throw new StartError(`Nobody has the e-mail ${name}.`, '"zimbo people list" shows everybody.');
  });
}
