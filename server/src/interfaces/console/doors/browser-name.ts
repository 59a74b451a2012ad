const browsers = ['Edg', 'OPR', 'SamsungBrowser', 'Firefox', 'Chrome', 'Safari'];
const browserNames: Record<string, string> = {
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
};
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'];

/** `Firefox, Android`: enough to distinguish a person's devices; unknown names appear truncated. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const browser = browsers.find((name) => userAgent.includes(`${name}/`));
  const system = systems.find((name) => userAgent.includes(name));
  if (browser === undefined) return userAgent.slice(0, 60);
  return [browserNames[browser] ?? browser, system].filter(Boolean).join(', ');
}
