import { styleText } from 'node:util';

/** A step, with an estimate of its duration. */
export interface Step {
  name: string;
  seconds: number;
  run(tell: (detail: string) => void): Promise<void>;
}

const redrawMs = 1_000;

/** Runs steps in sequence, and reports progress on standard error. */
export async function runSteps(steps: Step[]): Promise<void> {
  const startMs = performance.now();
  const guesses = steps.map(({ seconds }) => seconds);
  for (const [index, step] of steps.entries()) {
    const stepStartMs = performance.now();
    let detail = '';
    const left = sum(guesses.slice(index));
    const draw = () => {
      const secondsLeft = Math.max(0, left - secondsSince(stepStartMs));
      const counted = `${String(index + 1).padStart(3)} of ${steps.length}`;
      const about = styleText('dim', `about ${duration(secondsLeft)} left`, { stream });
      write(`${counted}  ${step.name}${detail && ` ${detail}`}  ${about}`);
    };
    draw();
    const timer = setInterval(() => stream.isTTY && draw(), redrawMs);
    try {
      await step.run((text) => {
        detail = text;
        if (stream.isTTY) draw();
      });
    } finally {
      clearInterval(timer);
    }
  }
  write(`measured in ${duration(secondsSince(startMs))}`);
  if (stream.isTTY) stream.write('\n');
}

const stream = process.stderr;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const secondsSince = (startMs: number) => (performance.now() - startMs) / 1_000;

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Overwrites the line on a terminal; elsewhere each step gets a line. */
function write(text: string): void {
  stream.write(stream.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
}

/** A bar for a share from 0 to 1. */
export function bar(share: number, width = 30): string {
  const full = Math.round(Math.min(1, share) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)} %`;
}
