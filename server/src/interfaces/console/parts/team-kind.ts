import type { Html } from '../../../platform/text/html.ts';
import type { RoleIn, Team } from '../../../tenants/people/teams.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
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

export interface RoleText {
  name: string;
  means: string;
}

export interface OwnRole {
  id: string;
  name: string;
}

/** A link that a phone scans from the screen. */
export interface QrCode {
  url: string;
  expiresAtMs: number;
}

/** Undefined for a merchant's custom role. */
export const wordsOf = <Visiting extends RequestContext, Permitted, Of extends Team>(
  kind: TeamKind<Visiting, Permitted, Of>,
  visit: Visiting,
  role: string,
): RoleText | undefined => (kind.roleWords(visit) as Record<string, RoleText>)[role];
