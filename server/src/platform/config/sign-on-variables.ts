import { isLoopback } from '../network/networks.ts';
import { baseUrl, type Kind, text } from './kinds.ts';

const group = { group: 'Single sign-on' };

/** Providers compare the issuer letter by letter, so it stays as given: a trailing slash may belong to it. */
const issuerUrl: Kind<string> = {
  rule: 'a URL that begins with https:// (http:// only for this machine), without user, query and fragment',
  parse(given) {
    const url = URL.parse(baseUrl.parse(given) ?? '');
    if (!url) return undefined;
    return url.protocol === 'https:' || isLoopback(url.hostname) ? given : undefined;
  },
};

const shortText: Kind<string> = {
  rule: 'text of up to 40 characters, without line breaks or control characters',
  parse: (given) => (/^[^\p{Cc}]{1,40}$/u.test(given.trim()) ? given.trim() : undefined),
};

/** The settings of single sign-on for the console. */
export const signOnVariables = {
  OIDC_ISSUER: {
    ...group,
    kind: issuerUrl,
    otherwise: 'no single sign-on',
    about:
      'The issuer of a provider of OpenID Connect, as its discovery document spells it. With it, people of the console may [sign in there](console.md#single-sign-on); OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are then needed.',
    example: 'https://login.example.cv/realms/staff',
  },
  OIDC_CLIENT_ID: {
    ...group,
    kind: text,
    otherwise: 'no single sign-on',
    about: 'The identifier of this gateway at the provider.',
    example: 'zimbo',
  },
  OIDC_CLIENT_SECRET: {
    ...group,
    kind: text,
    otherwise: 'no single sign-on',
    about: 'The secret with which the gateway authenticates to the provider.',
    example: 'a-long-secret-of-the-provider',
    secret: true as const,
  },
  OIDC_LABEL: {
    ...group,
    kind: shortText,
    default: 'SSO',
    about: 'The name of the provider on buttons: “Continue with …”.',
    example: 'Banco da Praia',
  },
};

/** The OpenID Connect provider for people. */
export interface SignOnSetting {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
}

const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** The settings must all be set, or none of them. */
export function signOnProblems(env: NodeJS.ProcessEnv): string[] {
  const missing = needed.filter((name) => !env[name]);
  if (missing.length === 0 || missing.length === needed.length) return [];
  const given = needed.filter((name) => env[name]);
  return [
    `Single sign-on needs ${needed.join(', ')}; ${given.join(' and ')} alone ${given.length === 1 ? 'is' : 'are'} not enough. Set ${missing.join(' and ')} too, or none of them.`,
  ];
}

export function signOnOf(values: {
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  OIDC_LABEL: string;
}): SignOnSetting | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  return { issuer, clientId, clientSecret, label: values.OIDC_LABEL };
}
