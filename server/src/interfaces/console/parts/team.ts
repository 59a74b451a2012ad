import { renderSVG } from 'uqr';
import { mailInvitation } from '../../../integrations/mail/invitation.ts';
import { Html, html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import {
  invitationUrl,
  invite,
  listInvitations,
  type MadeInvitation,
  revokeInvitation,
} from '../../../tenants/people/invitations.ts';
import {
  changeRole,
  listMembers,
  removeMember,
  StaysCashier,
} from '../../../tenants/people/members.ts';
import type { Post, Team } from '../../../tenants/people/teams.ts';
import type { Action, Page, View } from '../page.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { authorAtHome, inviter } from './author.ts';
import { button, type FieldErrors, field, form, notice, select } from './form.ts';
import { formErrors } from './form-errors.ts';
import { instant } from './format.ts';
import { empty, table } from './table.ts';
import type { TeamWords } from './team.words.ts';
import { invitationColumns, memberColumns, roleChoices } from './team-columns.ts';
import { type OwnRole, type QrCode, type RoleText, type TeamKind, wordsOf } from './team-kind.ts';

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
    const roleId = kind.ownRoles && parseId('ro', sent.text('role'));
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
  const further = Object.entries(furtherActions(kind)).map(([name, run]) => {
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
      ...Object.fromEntries(further),
    },
  };
}

type Further<Visiting> = (visit: Visiting, sent: SentForm) => Promise<unknown>;

/** Actions of this kind of team alone. */
function furtherActions<Visiting extends RequestContext, Permitted, Of extends Team>({
  more,
  otherActions,
}: TeamKind<Visiting, Permitted, Of>): Record<string, Further<Visiting>> {
  const ofMembers = Object.entries(more?.actions ?? {}).map(
    ([name, run]): [string, Further<Visiting>] => [
      name,
      (visit, sent) => run(visit, personIn(visit, sent)),
    ],
  );
  return { ...Object.fromEntries(ofMembers), ...otherActions };
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
  // Of the team's forms, only the invitation has an e-mail.
  const kept = visit.kept?.text('email') ? visit.kept : undefined;
  const again = sent?.text('action') === 'invite' ? sent : kept;
  const email = again?.text('email');
  const role = again?.text('role') ?? kind.suggested;
  return html`<section class="card"><h2>${words.invite}</h2>
${form(
  visit,
  html`${field('email', words.email, { inputMode: 'email', value: email, isRequired: true, maxLength: 254, error: errors.email })}
${select('role', words.role, roleChoices(kind, visit, own), { value: role })}
${button('invite', words.makeLink)}`,
)}</section>`;
}
