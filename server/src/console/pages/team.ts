import { named } from '../../checkout/page/state.ts';
import { DomainError } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import {
  invitationUrl,
  invite,
  listInvitations,
  revokeInvitation,
  type StoredInvitation,
} from '../../people/invitations.ts';
import { parseRole, type Role, roles } from '../../people/permissions.ts';
import { changeRole, listMembers, type Member, removeMember } from '../../people/team.ts';
import type { Action, ConsolePage, View } from '../page.ts';
import { button, type FieldErrors, field, form, hidden, notice, select } from '../parts/form.ts';
import { day } from '../parts/format.ts';
import { type Column, empty, table } from '../parts/table.ts';
import type { SentForm, Visit } from '../visit.ts';
import { roleWords } from '../words/roles.ts';
import { words as allWords } from './team.words.ts';

/** Who works for the merchant, and as what; owners invite, change and remove. */
export const teamPage: ConsolePage = {
  path: 'team',
  permission: 'people.read',
  show: (visit) => view(visit),
  actions: {
    invite: change(async (visit, sent) => {
      const order = { email: sent.text('email'), role: roleOf(sent) };
      const made = await invite(authored(visit), { ...order, merchantId: visit.merchant.id });
      return view(visit, { link: invitationUrl(visit.services.people.consoleUrl, made.token) });
    }),
    revoke: change(async (visit, sent) => {
      const id = parseId('iv', sent.text('invitation')) ?? visit.merchant.id;
      await revokeInvitation(authored(visit), { merchantId: visit.merchant.id, id });
      return done(visit, 'revoked');
    }),
    role: change(async (visit, sent) => {
      await changeRole(authored(visit), { ...memberOf(visit, sent), role: roleOf(sent) });
      return done(visit, 'changed');
    }),
    remove: change(async (visit, sent) => {
      const member = memberOf(visit, sent);
      await removeMember(authored(visit), member);
      if (member.personId === visit.person.id) return { to: visit.address('/console') };
      return done(visit, 'removed');
    }),
  },
};

/** People are the same in both modes: who changes them has just proved who they are. */
function change(run: Action['run']): Action {
  return {
    permission: 'people.write',
    isSensitive: 'ALWAYS',
    async run(visit, sent) {
      const words = allWords[visit.language];
      try {
        return await run(visit, sent);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const isInviting = sent.text('action') === 'invite';
        const mistakes: Partial<Record<string, FieldErrors>> = isInviting
          ? {
              VALIDATION_ERROR: { email: words.wrongEmail },
              INVALID_STATE: { email: words.isMember },
            }
          : { INVALID_STATE: { page: words.lastOwner }, NOT_FOUND: { page: words.gone } };
        const errors = mistakes[error.code];
        if (errors === undefined) throw error;
        return { ...(await view(visit, { errors, sent })), status: 400 };
      }
    },
  };
}

const authored = ({ services, author }: Visit) => ({ ...services.people, ...author });

const done = (visit: Visit, what: string) => ({ to: visit.to('team', { done: what }) });

const roleOf = (sent: SentForm) => parseRole(sent.text('role')) ?? 'VIEWER';

const memberOf = (visit: Visit, sent: SentForm) => ({
  merchantId: visit.merchant.id,
  // Nobody has the merchant's id.
  personId: parseId('pe', sent.text('person')) ?? visit.merchant.id,
});

interface Shown {
  /** That of an invitation that was just made. */
  link?: string;
  errors?: FieldErrors;
  sent?: SentForm;
}

async function view(visit: Visit, { link, errors = {}, sent }: Shown = {}): Promise<View> {
  const words = allWords[visit.language];
  const merchantId = visit.merchant.id;
  const members = await listMembers(visit.services, merchantId);
  const isOwner = visit.can('people.write');
  const open = isOwner ? await listInvitations(visit.services, merchantId) : [];
  const isShownAgain = link !== undefined || sent !== undefined;
  const said = isShownAgain ? undefined : words.done[visit.query.get('done') ?? ''];
  const main = html`${said === undefined ? undefined : notice(said, 'good')}
${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${link === undefined ? undefined : linkCard(visit, link)}
${table(words.title, memberColumns(visit), members)}
${isOwner ? html`<h2>${words.invitations}</h2>${open.length === 0 ? empty(words.noInvitations) : table(words.invitations, invitationColumns(visit), open)}` : undefined}
<div class="columns">${isOwner ? inviteCard(visit, errors, sent) : undefined}
<section class="card"><h2>${words.roles}</h2>${roles.map((role) => roleText(visit, role))}</section></div>`;
  return { title: words.title, main };
}

function roleText({ language }: Visit, role: Role): Html {
  const { name, means } = roleWords[language][role];
  return html`<p><b>${name}</b><br>${means}</p>`;
}

function linkCard(visit: Visit, link: string): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${words.linkTitle}</h2><p>${words.linkHint}</p>
<p><code>${link}</code></p>
<p><button class="button primary" type="button" data-copy="${link}" data-copied="${visit.words.copied}">${words.copyLink}</button></p></section>`;
}

function inviteCard(visit: Visit, errors: FieldErrors, sent: SentForm | undefined): Html {
  const words = allWords[visit.language];
  const isInviting = sent?.text('action') === 'invite';
  const email = isInviting ? sent.text('email') : undefined;
  const role = isInviting ? sent.text('role') : 'SUPPORT';
  return html`<section class="card"><h2>${words.invite}</h2>
${form(
  visit,
  html`${field('email', words.email, { type: 'email', value: email, isRequired: true, maxLength: 254, error: errors.email })}
${select('role', words.role, roleChoices(visit), { value: role })}
${button('invite', words.makeLink)}`,
)}</section>`;
}

const roleChoices = ({ language }: Pick<Visit, 'language'>) =>
  roles.map((role) => [role, roleWords[language][role].name] as const);

function memberColumns(visit: Visit): Column<Member>[] {
  const words = allWords[visit.language];
  const columns: Column<Member>[] = [
    {
      head: words.name,
      cell: ({ name, personId, disabledAtMs }) =>
        html`<span><b>${named(name)}</b>${personId === visit.person.id ? html` <span class="hint">${words.you}</span>` : undefined}${disabledAtMs === null ? undefined : html` <span class="status">${words.disabled}</span>`}</span>`,
    },
    { head: words.email, cell: ({ email }) => email },
    { head: words.role, cell: ({ role }) => roleWords[visit.language][role].name },
    { head: words.signsIn, cell: (member) => waysOf(member, words) },
    { head: words.since, cell: ({ joinedAtMs }) => day(visit, joinedAtMs) },
  ];
  if (!visit.can('people.write')) return columns;
  return [...columns, { head: words.change, cell: (member) => memberForm(visit, member) }];
}

function waysOf(
  { passkeys, hasPassword }: Member,
  words: { passkey: string; password: string },
): string {
  const ways = [passkeys > 0 ? words.passkey : '', hasPassword ? words.password : ''];
  return ways.filter(Boolean).join(', ');
}

function memberForm(visit: Visit, { personId, name, role }: Member): Html {
  const words = allWords[visit.language];
  const options = roleChoices(visit).map(([value, label]) =>
    value === role
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`,
  );
  const content = html`${hidden('person', formatId('pe', personId))}
<select name="role" aria-label="${words.roleOf(name)}">${options}</select>
<p class="bar">${button('role', visit.words.save, 'plain')}${button('remove', words.remove, 'danger')}</p>`;
  return html`<details class="more"><summary aria-label="${words.changeOf(name)}">${words.change}</summary>${form(visit, content)}</details>`;
}

function invitationColumns(visit: Visit): Column<StoredInvitation>[] {
  const words = allWords[visit.language];
  return [
    { head: words.email, cell: ({ email }) => email },
    {
      head: words.role,
      cell: ({ role }) => (role === null ? undefined : roleWords[visit.language][role].name),
    },
    { head: words.expires, cell: ({ expiresAtMs }) => day(visit, expiresAtMs) },
    {
      head: words.change,
      cell: ({ id, email }) =>
        form(
          visit,
          html`${hidden('invitation', formatId('iv', id))}<button name="action" value="revoke" class="button danger" aria-label="${words.revokeOf(email)}">${words.revoke}</button>`,
        ),
    },
  ];
}
