const mostWords = 6;
const firstLetter = /^\p{L}\p{M}{0,2}/u;

/**
 * Masks a person's name for somebody who knows the person: the first letter of each word, such as "M••• d••• L•••".
 * The length of words is hidden too.
 */
export function maskName(name: string): string {
  const letters = name
    .split(/[\s\-.]+/u)
    .map((word) => firstLetter.exec(word)?.[0])
    .filter((letter) => letter !== undefined)
    .slice(0, mostWords);
  return letters.length === 0 ? '•••' : letters.map((letter) => `${letter}•••`).join(' ');
}
