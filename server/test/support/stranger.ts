import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { invite, makeReset } from '../../src/tenants/people/invitations.ts';
import { codeNow } from '../../src/tenants/people/one-time-codes.ts';
import type { Role } from '../../src/tenants/people/permissions.ts';
import type { PageAnswer, TestConsole } from './console.ts';
import { goodPassword, nameIn } from './people.ts';

/** A browser without a screen and without a session: it keeps cookies, and follows no redirects. */
export class Stranger {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor({ origin }: Pick<TestConsole, 'origin'>) {
    this.#origin = origin;
  }

  get(path: string): Promise<PageAnswer> {
    return this.#ask(path, {});
  }

  /** Opens the page and submits its form with these fields. */
  async send(path: string, fields: Record<string, string>): Promise<PageAnswer> {
    const { text } = await this.get(path);
    return this.post(path, { csrf: hiddenValue(text, 'csrf'), ...fields });
  }

  /** Submits a form without loading its page first. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin: this.#origin },
  ): Promise<PageAnswer> {
    return this.#ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async #ask(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<PageAnswer> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, 'accept-language': 'en', ...init.headers };
    const url = `${this.#origin}${path}`;
    const answer = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const location = answer.headers.get('location');
    return { status: answer.status, text: await answer.text(), headers: answer.headers, location };
  }
}

/** The value of a hidden field on a page. */
export const hiddenValue = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** The address of a new invitation, below the console's origin. */
export async function invitationTo(
  { gateway, merchantId }: TestConsole,
  email: string,
  role: Role = 'OWNER',
): Promise<string> {
  const { database } = gateway;
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  const { token } = await invite({ database, ...author }, { merchantId, email, role });
  return `/console/invitation/${token}`;
}

/** The recovery address for a person who has lost every sign-in method. */
export async function resetOf({ gateway }: TestConsole, email: string): Promise<string> {
  const { database } = gateway;
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  return `/console/invitation/${(await makeReset({ database, ...author }, email)).token}`;
}

const stepMs = 30_000;

/** Accepts an invitation with a password, and returns the unused codes, each valid once. */
export async function joinedBy(stranger: Stranger, link: string, password = goodPassword) {
  const { text } = await stranger.get(link);
  const secret = /class="secret">([^<]+)</.exec(text)![1]!.replaceAll(' ', '');
  const codeIn = (steps: number) => codeNow(secret, systemClock.nowMs() + steps * stepMs);
  const email = /name="username" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = { name: `${nameIn(email)} Lopes`, password, draft: hiddenValue(text, 'draft') };
  const code = codeIn(0);
  const answer = await stranger.post(link, { action: 'password', ...fields, code });
  const recoveryCodes = [...answer.text.matchAll(/<li><code>([^<]+)</g)].map(([, found]) => found!);
  return { answer, recoveryCodes, codeIn };
}
