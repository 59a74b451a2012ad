import { type Language, languages } from './language.ts';

/**
 * The language chosen on the page, else the browser's first supported language, else the first of those offered.
 * @param acceptLanguage the header of the browser
 * @param offered those to choose from
 */
export function chooseLanguage(
  chosen: string | null,
  acceptLanguage: string | undefined,
  offered: readonly Language[] = languages,
): Language {
  return offered.find((name) => name === chosen) ?? preferred(acceptLanguage ?? '', offered);
}

function preferred(acceptLanguage: string, offered: readonly Language[]): Language {
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', quality] = range.split(';');
      const weight = quality === undefined ? 1 : Number(quality.trim().replace(/^q=/, ''));
      return { language: tag.trim().toLowerCase().split('-')[0], weight };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const known = offered.find((name) => name === language);
    if (known) return known;
  }
  return offered[0]!;
}
