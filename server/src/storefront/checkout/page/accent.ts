type Rgb = readonly [number, number, number];

/** The backgrounds of an accent; style.css has the same. */
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
 * A readable accent: a colour too light for the light background is darkened, and a colour too dark for the dark
 * background lightened, as little as AA allows.
 * @param colour `#rrggbb`
 */
export function accentOn(ground: 'light' | 'dark', colour: string): Accent {
  const given = rgbOf(colour);
  for (let share = 0; ; share += step) {
    const own = hexOf((ground === 'light' ? darker : lighter)(given, Math.min(1, share)));
    if (contrastOf(own, grounds[ground]) >= leastContrast || share >= 1) {
      return { colour: own, ink: inkOn(own) };
    }
  }
}

const darker = (colour: Rgb, share: number): Rgb => rounded(colour, (part) => part * (1 - share));

/** With the same hue and saturation: mixed with white, the colour would look pale, like a disabled control. */
function lighter(colour: Rgb, share: number): Rgb {
  const lightness = (Math.max(...colour) + Math.min(...colour)) / 510;
  const next = lightness + (1 - lightness) * share;
  const chroma = lightness === 0 ? 0 : roomAt(next) / roomAt(lightness);
  return rounded(colour, (part) => 255 * next + (part - 255 * lightness) * chroma);
}

/** How much the parts of a colour may differ at a lightness of 0 to 1. */
const roomAt = (lightness: number) => Math.max(1e-9, 1 - Math.abs(2 * lightness - 1));

const rounded = (colour: Rgb, change: (part: number) => number): Rgb =>
  colour.map((part) => Math.min(255, Math.max(0, Math.round(change(part))))) as unknown as Rgb;

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
