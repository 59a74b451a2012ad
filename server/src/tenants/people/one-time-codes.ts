import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * RFC 6238 is ten lines over node:crypto, and has test vectors; a library would bring a second
 * implementation of HMAC along.
 */
const stepMs = 30_000;
const digits = 6;
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret for one-time codes, in base32 for authenticator apps. */
export function newCodeSecret(): string {
  return base32(randomBytes(secretBytes));
}

/** The content of the QR code for an authenticator app. */
export function codeUri(secret: string, email: string): string {
  return `otpauth://totp/Zimbo:${encodeURIComponent(email)}?secret=${secret}&issuer=Zimbo`;
}

/**
 * The time step of a code that is valid now, or half a minute earlier or later, since clocks differ; undefined if it
 * is wrong, or not later than the last accepted one.
 */
export function stepOf(
  secret: string,
  code: string,
  nowMs: number,
  lastStep: number | null,
): number | undefined {
  const given = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(given)) return undefined;
  const now = Math.floor(nowMs / stepMs);
  return [now - 1, now, now + 1].find(
    (step) =>
      (lastStep === null || step > lastStep) &&
      timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(given)),
  );
}

/** The code of a step. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The code of an instant, as the app shows it. */
export const codeNow = (secret: string, nowMs: number) =>
  codeAt(secret, Math.floor(nowMs / stepMs));

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => alphabet.charAt(Number.parseInt(five, 2)));
}

function bytesOf(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const octets = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
}

const recoveryCount = 10;
const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const recoveryLength = 16;

/** Ten codes for the loss of the device, as `0a1b-2c3d-4e5f-6g7h`, shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () => {
    // 256 is a multiple of 32, so each letter is as likely as any other.
    const letters = Array.from(randomBytes(recoveryLength), (byte) => recoveryAlphabet[byte % 32]);
    return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/** The stored hash of a recovery code, whose 80 random bits nobody can guess. */
export function hashRecoveryCode(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replaceAll(/[^0-9a-z]/g, ''), 'buffer');
}
