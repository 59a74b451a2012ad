/** Escapes text for HTML and SVG. */
export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An element; numeric attributes are rounded to what a screen can show. */
export function element(
  name: string,
  attributes: Record<string, string | number>,
  ...children: string[]
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : value}"`)
    .join('');
  return children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${children.join('')}</${name}>`;
}

export const label = (x: number, y: number, css: string, text: string) =>
  element('text', { x, y, class: css }, escaped(text));

const round = (value: number) => Math.round(value * 10) / 10;
