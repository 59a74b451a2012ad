import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import type { StoredInvitation } from '../../../tenants/people/invitations.ts';
import type { Member } from '../../../tenants/people/members.ts';
import type { RoleIn, Team } from '../../../tenants/people/teams.ts';
import type { RequestContext } from '../request-context.ts';
import { button, type Choice, form, hidden } from './form.ts';
import { day } from './format.ts';
import type { Column } from './table.ts';
import type { TeamWords } from './team.words.ts';
import { type OwnRole, type TeamKind, wordsOf } from './team-kind.ts';

export const roleChoices = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
): Choice[] => [
  ...kind.roles.map((role): Choice => [role, wordsOf(kind, visit, role)!.name]),
  ...own.map(({ id, name }): Choice => [formatId('ro', id), name]),
];

/** The name of a role of the table, or of a custom role. */
const nameOfRole = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
  { role, roleId }: { role: string; roleId: string | null },
): string | undefined =>
  own.find(({ id }) => id === roleId)?.name ?? wordsOf(kind, visit, role)?.name;

export function memberColumns<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
): Column<Member<RoleIn<Of>>>[] {
  const words = kind.words(visit);
  const columns: Column<Member<RoleIn<Of>>>[] = [
    {
      head: words.name,
      cell: ({ name, personId, disabledAtMs }) =>
        html`<span><b>${named(name)}</b>${personId === visit.person.id ? html` <span class="hint">${words.you}</span>` : undefined}${disabledAtMs === null ? undefined : html` <span class="status">${words.disabled}</span>`}</span>`,
    },
    { head: words.email, cell: ({ email }) => email ?? words.noEmail },
    { head: words.role, cell: (member) => nameOfRole(kind, visit, own, member) },
    { head: words.signsIn, cell: (member) => waysOf(member, words) },
    { head: words.since, cell: ({ joinedAtMs }) => day(visit, joinedAtMs) },
  ];
  if (!kind.canWrite(visit)) return columns;
  return [
    ...columns,
    { head: words.change, cell: (member) => memberForm(kind, visit, own, member) },
  ];
}

function waysOf(
  { passkeys, hasPassword, hasPin }: Pick<Member, 'passkeys' | 'hasPassword' | 'hasPin'>,
  words: Pick<TeamWords, 'passkey' | 'password' | 'pin'>,
): string {
  const ways = [passkeys > 0 ? words.passkey : '', hasPassword ? words.password : ''];
  if (hasPin) ways.push(words.pin);
  return ways.filter(Boolean).join(', ');
}

function memberForm<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
  { personId, name, role, roleId, email }: Member<RoleIn<Of>>,
): Html {
  const words = kind.words(visit);
  const held = roleId === null ? role : formatId('ro', roleId);
  const newPin =
    kind.makeQr && email === null ? button('new-pin', words.newPin, 'plain') : undefined;
  const options = roleChoices(kind, visit, own).map(([value, label]) =>
    value === held
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`,
  );
  const content = html`${hidden('person', formatId('pe', personId))}
<select name="role" aria-label="${words.roleOf(name)}">${options}</select>
<p class="bar">${button('role', visit.words.save, 'plain')}${kind.more?.buttons(visit)}${newPin}${button('remove', words.remove, 'danger')}</p>`;
  return html`<details class="more"><summary aria-label="${words.changeOf(name)}">${words.change}</summary>${form(visit, content)}</details>`;
}

export function invitationColumns<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
): Column<StoredInvitation>[] {
  const words = kind.words(visit);
  return [
    { head: words.email, cell: ({ email }) => email ?? words.byQr },
    {
      head: words.role,
      cell: ({ role, roleId, staffRole }) =>
        nameOfRole(kind, visit, own, { role: role ?? staffRole ?? '', roleId }),
    },
    { head: words.expires, cell: ({ expiresAtMs }) => day(visit, expiresAtMs) },
    {
      head: words.change,
      cell: ({ id, email }) =>
        form(
          visit,
          html`${hidden('invitation', formatId('iv', id))}<button name="action" value="revoke" class="button danger" aria-label="${words.revokeOf(email ?? words.byQr)}">${words.revoke}</button>`,
        ),
    },
  ];
}
