/** What stands in the place of a phone that was erased; no country has such numbers. */
export const erasedPhone = '+00000000';

/** `+238•••••45`: enough to ask a customer whether it is theirs, and too little to call them. */
export function maskPhone(phone: string): string {
  if (phone === erasedPhone) return phone;
  return `${phone.slice(0, 4)}${'•'.repeat(Math.max(0, phone.length - 6))}${phone.slice(-2)}`;
}

/** What a key must hold to read phones; without it they are masked. */
export const readsPhones = 'phones:read';

/**
 * JSON of a payment or an event with its phone masked. The first such field is ours: those of metadata stand behind
 * it, and within a text the quotation marks would be escaped.
 */
export function maskJson(json: string): string {
  return json.replace(
    /"operatorPhone":"([^"]*)"/,
    (_field, phone: string) => `"operatorPhone":"${maskPhone(phone)}"`,
  );
}

/** What replaces a phone in the middle of a text: valid there as a word and as a number of JSON. */
export const erasedDigits = '0';

/** Finds a phone in a text: with `+`, `00` or nothing before it, and whatever separates its digits. */
export function phoneInText(phone: string): string {
  const digits = phone.replace('+', '').split('').join('[ .()-]{0,2}');
  return `(?<![0-9])(?:00)?${digits}(?![0-9])`;
}
