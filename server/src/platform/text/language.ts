export const languages = ['pt', 'en'] as const;
export type Language = (typeof languages)[number];

/** The texts of each language, from a table that has both beside each other. */
export function byLanguage<Key extends string>(
  table: Record<Key, Record<Language, string>>,
): Record<Language, Record<Key, string>> {
  const textsOf = (language: Language) =>
    Object.fromEntries(
      Object.entries<Record<Language, string>>(table).map(([key, texts]) => [key, texts[language]]),
    ) as Record<Key, string>;
  return { pt: textsOf('pt'), en: textsOf('en') };
}
