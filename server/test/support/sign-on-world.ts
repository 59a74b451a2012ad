import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { testConsole } from './console.ts';
import { freePort } from './free-port.ts';
import { signOn, testProvider } from './sign-on.ts';
import { invitationTo, Stranger } from './stranger.ts';

/** A console, and an OpenID Connect provider for its people. */
export async function signOnWorld(context: Pick<TestContext, 'after'>) {
  const port = await freePort();
  const provider = await testProvider(context, `http://localhost:${port}`);
  const site = await testConsole(context, { port, environment: provider.environment });
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    site.gateway.database.query<Row>({ text }, values);
  /** An account at the provider. */
  const known = (subject: string, more: object = {}) => {
    const name = subject[0]!.toUpperCase() + subject.slice(1);
    const account = { email: `${subject}@loja.cv`, email_verified: true, name, ...more };
    provider.people.set(subject, account);
  };
  return {
    site,
    provider,
    query,
    known,
    /** A person who has accepted an invitation with their identity. */
    async member(subject: string): Promise<Stranger> {
      known(subject);
      const stranger = new Stranger(site);
      const link = await invitationTo(site, `${subject}@loja.cv`);
      const answer = await signOn(stranger, link, subject);
      assert.equal(answer.location, '/console', answer.text);
      return stranger;
    },
    isIn: async (stranger: Stranger) => (await stranger.get('/console/account')).status === 200,
    /** Moves the sessions of an identity back in time. */
    later: (subject: string, seconds: number, ...columns: string[]) =>
      query(
        `UPDATE person_sessions SET ${columns
          .map(
            (each) =>
              `${each} = (${each} AT TIME ZONE 'UTC' - interval '${seconds} seconds') AT TIME ZONE 'UTC'`,
          )
          .join(', ')} WHERE sso_subject = $1`,
        [subject],
      ),
  };
}

export type SignOnWorld = Awaited<ReturnType<typeof signOnWorld>>;
