import { renderSVG } from 'uqr';
import { mailInvitation } from '../../../integrations/mail/invitation.ts';
import { Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import {
  invitationUrl,
  invite,
  listInvitations,
  type MadeInvitation,
  revokeInvitation,
  type StoredInvitation,
} from '../../../tenants/people/invitations.ts';
import {
  changeRole,
  listMembers,
  type Member,
  removeMember,
  StaysCashier,
} from '../../../tenants/people/members.ts';
import type { Post, RoleIn, Team } from '../../../tenants/people/teams.ts';
import type { Action, Page, View } from '../page.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { authorAtHome, inviter } from './author.ts';
import {
  button,
  type Choice,
  type FieldErrors,
  field,
  form,
  hidden,
  notice,
  select,
} from './form.ts';
import { formErrors } from './form-errors.ts';
import { day, instant } from './format.ts';
import { type Column, empty, table } from './table.ts';
import type { TeamWords } from './team.words.ts';

/** The differences between a merchant's members and the staff. */
export interface TeamKind<Visiting extends RequestContext, Permitted, Of extends Team> {
  teamOf: (visit: Visiting) => Of;
  permissions: { read: Permitted; write: Permitted };
  canWrite: (visit: Visiting) => boolean;
  roles: readonly RoleIn<Of>[];
  /** The suggested role of an invitation. */
  suggested: RoleIn<Of>;
  /** The role if the form names none. */
  least: RoleIn<Of>;
  words: (visit: Visiting) => TeamWords;
  roleWords: (visit: Visiting) => Record<Exclude<RoleIn<Of>, 'CUSTOM'>, RoleText>;
  /** Roles besides those of the table. */
  ownRoles?: (visit: Visiting) => Promise<readonly OwnRole[]>;
  /** Cards after the others, for people who may change the team. */
  cards?: (visit: Visiting) => Promise<Html>;
  /** Makes a link for a QR code: for a new member without e-mail, or for one who needs a new PIN. */
  makeQr?: (visit: Visiting, personId: string | null) => Promise<QrCode>;
  /** Further actions on a member, with their buttons. */
  more?: {
    buttons: (visit: Visiting) => Html;
    actions: Record<string, (visit: Visiting, personId: string) => Promise<unknown>>;
  };
  /** Further buttons that concern no member. */
  otherActions?: Record<string, (visit: Visiting, sent: SentForm) => Promise<unknown>>;
}

interface RoleText {
  name: string;
  means: string;
}

interface OwnRole {
  id: string;
  name: string;
}

/** A link that a phone scans from the screen. */
export interface QrCode {
  url: string;
  expiresAtMs: number;
}

interface Shown {
  /** The QR code of an invitation that was just made. */
  code?: QrCode;
  /** The link of an invitation that was just made. */
  link?: HandedOver;
  errors?: FieldErrors;
  sent?: SentForm | undefined;
}

/** The members of a team with their roles; with the permission, also inviting, changing and removing. */
export function teamPageOf<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
): Page<Visiting, Permitted> {
  const { teamOf } = kind;
  const postOf = (visit: Visiting, sent: SentForm) => {
    const roleId = parseId('ro', sent.text('role'));
    if (roleId !== undefined)
      return { ...teamOf(visit), role: 'CUSTOM', roleId } as unknown as Post;
    const role = kind.roles.find((each) => each === sent.text('role')) ?? kind.least;
    // A team with one of its roles: the compiler cannot relate the two.
    return { ...teamOf(visit), role } as unknown as Post;
  };
  const change = (run: Action<Visiting>['run']): Action<Visiting, Permitted> => ({
    permission: kind.permissions.write,
    // Both modes share people, so changing them always requires reauthentication.
    isSensitive: 'ALWAYS',
    run: (visit, sent) => orMistakes(kind, visit, sent, run),
  });
  const more = Object.entries(kind.more?.actions ?? {}).map(([name, run]) => {
    const action = change(async (visit, sent) => {
      await run(visit, personIn(visit, sent));
      return done(visit, name);
    });
    return [name, action] as const;
  });
  const others = Object.entries(kind.otherActions ?? {}).map(([name, run]) => {
    const action = change(async (visit, sent) => {
      await run(visit, sent);
      return done(visit, name);
    });
    return [name, action] as const;
  });
  const { makeQr } = kind;
  const codes = makeQr && {
    qr: change(async (visit) => view(kind, visit, { code: await makeQr(visit, null) })),
    'new-pin': change(async (visit, sent) => {
      const code = await makeQr(visit, personIn(visit, sent));
      return view(kind, visit, { code });
    }),
  };
  return {
    path: 'team',
    permission: kind.permissions.read,
    show: (visit) => view(kind, visit),
    actions: {
      invite: change(async (visit, sent) => {
        const order = { ...postOf(visit, sent), email: sent.text('email') };
        const made = await invite(inviter(visit), order);
        return view(kind, visit, { link: await handOverLink(visit, made) });
      }),
      revoke: change(async (visit, sent) => {
        const id = parseId('iv', sent.text('invitation')) ?? visit.sessionId;
        const team: Team = teamOf(visit);
        await revokeInvitation(authorAtHome(visit), { ...team, id });
        return done(visit, 'revoked');
      }),
      role: change(async (visit, sent) => {
        const member = { ...postOf(visit, sent), personId: personIn(visit, sent) };
        await changeRole(authorAtHome(visit), member, visit.sessionId);
        return done(visit, 'changed');
      }),
      remove: change(async (visit, sent) => {
        const personId = personIn(visit, sent);
        const team: Team = teamOf(visit);
        await removeMember(authorAtHome(visit), { ...team, personId }, visit.sessionId);
        if (personId === visit.person.id) return { to: visit.address('/console') };
        return done(visit, 'removed');
      }),
      ...codes,
      ...Object.fromEntries([...more, ...others]),
    },
  };
}

const done = (visit: RequestContext, what: string) => ({ to: visit.to('team', { done: what }) });

/** Nobody has a session's id. */
const personIn = ({ sessionId }: RequestContext, sent: SentForm) =>
  parseId('pe', sent.text('person')) ?? sessionId;

/** The page again, with the mistakes. */
async function orMistakes<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  sent: SentForm,
  run: Action<Visiting>['run'],
) {
  const words = kind.words(visit);
  try {
    return await run(visit, sent);
  } catch (error) {
    const isInviting = sent.text('action') === 'invite';
    const codes = isInviting
      ? {
          VALIDATION_ERROR: { email: words.wrongEmail },
          INVALID_STATE: { email: words.isMember },
          LIMIT_REACHED: words.tooManyInvitations,
          NOT_FOUND: words.gone,
        }
      : {
          INVALID_STATE: error instanceof StaysCashier ? words.staysCashier : words.lastOwner,
          LIMIT_REACHED: words.tooManyInvitations,
          NOT_FOUND: words.gone,
        };
    const errors = formErrors(visit, error, { codes });
    return { ...(await view(kind, visit, { errors, sent })), status: 400 };
  }
}

async function view<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  { link, code, errors = {}, sent }: Shown = {},
): Promise<View> {
  const words = kind.words(visit);
  const team = kind.teamOf(visit);
  const members = await listMembers(visit.services.people, team);
  const mayWrite = kind.canWrite(visit);
  const open = mayWrite ? await listInvitations(visit.services.people, team) : [];
  const own = (await kind.ownRoles?.(visit)) ?? [];
  const isShownAgain = link !== undefined || code !== undefined || sent !== undefined;
  const said = isShownAgain ? undefined : words.done[visit.query.get('done') ?? ''];
  const main = html`${said === undefined ? undefined : notice(said, 'good')}
${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${link === undefined ? undefined : linkCard(visit, words, link)}
${code === undefined ? undefined : qrCard(visit, words, code)}
${table(words.title, memberColumns(kind, visit, own), members)}
${mayWrite ? html`<h2>${words.invitations}</h2>${open.length === 0 ? empty(words.noInvitations) : table(words.invitations, invitationColumns(kind, visit, own), open)}` : undefined}
<div class="columns">${mayWrite ? inviteCard(kind, visit, own, { errors, sent }) : undefined}
${mayWrite && kind.makeQr ? newQrCard(visit, words) : undefined}
${mayWrite ? await kind.cards?.(visit) : undefined}
<section class="card"><h2>${words.roles}</h2>${kind.roles.map((role) => roleText(wordsOf(kind, visit, role)!))}${kind.ownRoles ? html`<p><a href="${visit.to('roles')}">${words.rolesPage}</a></p>` : undefined}</section></div>`;
  // Its lists and QR codes look like those of the sign-in pages.
  return { title: words.title, main, scripts: ['doors.css'] };
}

/** Undefined for a merchant's own role. */
const wordsOf = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  role: string,
): RoleText | undefined => (kind.roleWords(visit) as Record<string, RoleText>)[role];

/** A QR code that is shown once; the link below it is for a phone that is not here. */
function qrCard(visit: RequestContext, words: TeamWords, { url, expiresAtMs }: QrCode): Html {
  const code = new Html(renderSVG(url, { ecc: 'M', border: 2 }));
  return html`<section class="card"><h2>${words.qrTitle}</h2><p>${words.qrHint}</p>
<div class="qr" role="img" aria-label="${words.qrPicture}">${code}</div>
<p class="hint">${words.expires} ${instant(visit, expiresAtMs)}</p>
<p><code>${url}</code></p>
<p><button class="button plain" type="button" data-copy="${url}" data-copied="${visit.words.copied}">${words.copyLink}</button></p></section>`;
}

const newQrCard = (visit: RequestContext, words: TeamWords): Html =>
  html`<section class="card"><h2>${words.qrInvite}</h2><p class="hint">${words.qrInviteHint}</p>
${form(visit, button('qr', words.makeQr, 'plain'))}</section>`;

const roleText = ({ name, means }: RoleText): Html => html`<p><b>${name}</b><br>${means}</p>`;

/**
 * Delivers the link of a new invitation. With a mail server, only the mail has the link, so that
 * only the mailbox's owner creates the account; otherwise the page shows the link.
 */
export async function handOverLink(
  visit: RequestContext,
  made: MadeInvitation,
): Promise<HandedOver> {
  const { people, mailer } = visit.services;
  const url = invitationUrl(people.consoleUrl, made.token);
  if (mailer === undefined) return { url };
  const { language, nowMs } = visit;
  const mail = { ...made, url, kind: 'INVITATION', language } as const;
  const { kind } = await mailInvitation(mailer, mail, nowMs);
  return { mailedTo: made.email, isMailed: kind === 'SENT' };
}

type HandedOver = { url: string } | { mailedTo: string; isMailed: boolean };

export function linkCard(
  { words: common }: RequestContext,
  words: TeamWords,
  handedOver: HandedOver,
): Html {
  if ('mailedTo' in handedOver) {
    const { mailedTo, isMailed } = handedOver;
    return isMailed ? notice(words.mailed(mailedTo), 'good') : notice(words.notMailed, 'bad');
  }
  const { url } = handedOver;
  return html`<section class="card"><h2>${words.linkTitle}</h2><p>${words.linkHint}</p>
<p><code>${url}</code></p>
<p><button class="button primary" type="button" data-copy="${url}" data-copied="${common.copied}">${words.copyLink}</button></p></section>`;
}

function inviteCard<Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
  { errors = {}, sent }: Pick<Shown, 'errors' | 'sent'>,
): Html {
  const words = kind.words(visit);
  const isInviting = sent?.text('action') === 'invite';
  const email = isInviting ? sent.text('email') : undefined;
  const role = isInviting ? sent.text('role') : kind.suggested;
  return html`<section class="card"><h2>${words.invite}</h2>
${form(
  visit,
  html`${field('email', words.email, { inputMode: 'email', value: email, isRequired: true, maxLength: 254, error: errors.email })}
${select('role', words.role, roleChoices(kind, visit, own), { value: role })}
${button('invite', words.makeLink)}`,
)}</section>`;
}

const roleChoices = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
): Choice[] => [
  ...kind.roles.map((role): Choice => [role, wordsOf(kind, visit, role)!.name]),
  ...own.map(({ id, name }): Choice => [formatId('ro', id), name]),
];

/** The name of a role of the table, or of an own role. */
const nameOfRole = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  own: readonly OwnRole[],
  { role, roleId }: { role: string; roleId: string | null },
): string | undefined =>
  own.find(({ id }) => id === roleId)?.name ?? wordsOf(kind, visit, role)?.name;

function memberColumns<Visiting extends RequestContext, Permitted, Of extends Team>(
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

function invitationColumns<Visiting extends RequestContext, Permitted, Of extends Team>(
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
