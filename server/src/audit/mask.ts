import { createKeyedDigest } from './digest.ts';

/** For what may hold a secret, or name a customer. */
export interface Mask {
  /** A keyed digest: whether two texts were the same can be told, and nothing else. */
  text(text: string | null): string | null;
  /** Where it leads can be read; path and query, which may hold a secret, are a keyed digest. */
  url(url: string): string;
}

export function createMask(secretKey: Buffer): Mask {
  const digest = createKeyedDigest(secretKey);
  return {
    text: (text) => (text === null ? null : `(${digest(text)})`),
    url: (url) => `${URL.parse(url)?.origin ?? ''}/… (${digest(url)})`,
  };
}

/** What a person wrote, with the end of each international number instead of it. */
export function withoutPhones(text: string): string {
  return text.replace(/\+(?:[\s().-]*\d){8,15}/g, (phone) => `+…${phone.slice(-2)}`);
}
