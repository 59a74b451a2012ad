type Rgb = readonly [number, number, number];

/** The colours that an accent stands on; style.css has the same. */
const grounds = { light: '#f4f6f5', dark: '#181e1c' };
/** WCAG 2.2 AA for text. */
const leastContrast = 4.5;
const step = 0.02;

export interface Accent {
  /** For text, borders and buttons. */
  colour: string;
  /** For text on it. */
  ink: string;
}

/**
 * An accent that can be read on the page: a colour too light for the light ground is darkened, and
 * one too dark for the dark ground made lighter, as little as AA allows.
 * @param colour `#rrggbb`
 */
export function accentOn(ground: 'light' | 'dark', colour: string): Accent {
  const towards: Rgb = ground === 'light' ? [0, 0, 0] : [255, 255, 255];
  const given = rgbOf(colour);
  for (let share = 0; ; share += step) {
    const mixed = given.map((part, index) =>
      Math.round(part + (towards[index]! - part) * Math.min(1, share)),
    ) as unknown as Rgb;
    const own = hexOf(mixed);
    if (contrastOf(own, grounds[ground]) >= leastContrast || share >= 1) {
      return { colour: own, ink: inkOn(own) };
    }
  }
}

/** Contrast of two colours, 1 to 21, as WCAG computes it. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function inkOn(ground: string): string {
  const [white, black] = ['#ffffff', '#101413'];
  return contrastOf(white, ground) >= contrastOf(black, ground) ? white : black;
}

function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const rgbOf = (colour: string) =>
  [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16)) as unknown as Rgb;

const hexOf = (colour: Rgb) =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
