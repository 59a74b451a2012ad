import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The districts of server/src, from the top down, and what each is for. Each imports only from those below it. */
export const districts: Readonly<Record<string, string>> = {
  cli: 'the command line',
  app: 'starts and wires everything',
  interfaces: 'for people and programs',
  operations: 'keep it healthy',
  backoffice: 'decisions of staff',
  storefront: 'what customers see',
  money: 'money moves only here',
  integrations: 'other systems',
  tenants: 'who uses it',
  platform: 'knows no business',
};

/** The rooms on a payment's way, in order. */
const way = [
  'platform/http',
  'money/payments',
  'integrations/operators',
  'money/callbacks',
  'money/ledger',
  'integrations/webhooks',
];

const source = join(import.meta.dirname, '..', 'src');

/** The folders of a district. The two at the top show none: each is one thing. */
export const roomsOf = (district: string): string[] =>
  ['cli', 'app'].includes(district)
    ? []
    : readdirSync(join(source, district), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort();

const width = 980;
const left = 184;
const rowHeight = 30;
const padding = 9;
const gap = 6;
const colours = [
  '#3b4252',
  '#3b4252',
  '#1f4e8c',
  '#1f4e8c',
  '#1f4e8c',
  '#1f4e8c',
  '#0b6e4f',
  '#7a4a12',
  '#5a3e8e',
  '#454b57',
];

interface Room {
  name: string;
  x: number;
  y: number;
  width: number;
}

/** The rooms of one district side by side, in as many rows as they need. */
function placeRooms(district: string, top: number): { rooms: Room[]; height: number } {
  let [x, row] = [left, 0];
  const rooms = roomsOf(district).map((name) => {
    const roomWidth = name.length * 7.2 + (way.includes(`${district}/${name}`) ? 44 : 16);
    if (x + roomWidth > width - 20) [x, row] = [left, row + 1];
    const room = { name, x, y: top + padding + row * rowHeight, width: roomWidth };
    x += roomWidth + 7;
    return room;
  });
  return { rooms, height: (row + 1) * rowHeight + 2 * padding - gap };
}

/** docs/districts.svg: the districts with their rooms, and the path of one payment through them. */
export function districtsPicture(): string {
  let y = 10;
  const stops = new Map<string, Room>();
  const boxes = Object.entries(districts).map(([name, purpose], index) => {
    const { rooms, height } = placeRooms(name, y);
    for (const room of rooms) stops.set(`${name}/${room.name}`, room);
    const middle = y + height / 2;
    const box = [
      `  <rect x="10" y="${y}" width="${width - 20}" height="${height}" rx="8" fill="${colours[index]}"/>`,
      `  <text x="24" y="${middle - 2}" font-size="15" font-weight="600" fill="#ffffff">${name}</text>`,
      `  <text x="24" y="${middle + 13}" font-size="12" fill="#ffffff" fill-opacity="0.8">${purpose}</text>`,
    ];
    y += height + gap;
    return { box, rooms: rooms.map((room) => roomOf(room, way.indexOf(`${name}/${room.name}`))) };
  });
  const steps = way.map((stop) => stops.get(stop)!);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 4}" role="img" aria-labelledby="title description" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">`,
    '  <!-- Written by "npm run docs": server/scripts/districts-picture.ts. -->',
    '  <title id="title">The districts of the source, and the path of one payment through them</title>',
    `  <desc id="description">From the top down: ${Object.keys(districts).join(', ')}. A payment goes from ${way.join(' to ')}.</desc>`,
    '  <defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#ffd43b"/></marker></defs>',
    ...boxes.flatMap(({ box }) => box),
    ...steps.slice(1).map((to, index) => arrowOf(steps[index]!, to)),
    ...boxes.flatMap(({ rooms }) => rooms.flat()),
    '</svg>',
    '',
  ].join('\n');
}

/** A room; one on the way is filled, with its number. */
function roomOf({ name, x, y, width: roomWidth }: Room, step: number): string[] {
  const isStop = step >= 0;
  const text = `<text x="${(x + roomWidth / 2 + (isStop ? 10 : 0)).toFixed(1)}" y="${y + 16}" font-size="13" text-anchor="middle"`;
  const fill = isStop ? '#fff3bf' : '#ffffff" fill-opacity="0.14';
  const room = [
    `  <rect x="${x.toFixed(1)}" y="${y}" width="${roomWidth.toFixed(1)}" height="24" rx="6" fill="${fill}"/>`,
    `  ${text} fill="${isStop ? '#1c1f24' : '#ffffff'}"${isStop ? ' font-weight="600"' : ''}>${name}</text>`,
  ];
  if (!isStop) return room;
  return [
    ...room,
    `  <circle cx="${(x + 13).toFixed(1)}" cy="${y + 12}" r="9" fill="#ffd43b"/>`,
    `  <text x="${(x + 13).toFixed(1)}" y="${y + 16}" font-size="12" font-weight="700" text-anchor="middle" fill="#1c1f24">${step + 1}</text>`,
  ];
}

/** From the middle of one room to the nearest edge of the next. */
function arrowOf(from: Room, to: Room): string {
  const [x1, y1] = [from.x + from.width / 2, from.y + 12];
  if (from.y === to.y) {
    const x2 = from.x < to.x ? to.x - 1 : to.x + to.width + 1;
    return line(`M${x1.toFixed(1)} ${y1}H${x2.toFixed(1)}`);
  }
  const x2 = to.x + to.width / 2;
  const y2 = from.y < to.y ? to.y - 2 : to.y + 26;
  const bend = (y1 + y2) / 2;
  return line(
    `M${x1.toFixed(1)} ${y1}C${x1.toFixed(1)} ${bend} ${x2.toFixed(1)} ${bend} ${x2.toFixed(1)} ${y2}`,
  );
}

const line = (path: string) =>
  `  <path d="${path}" fill="none" stroke="#ffd43b" stroke-width="2.5" stroke-opacity="0.9" marker-end="url(#tip)"/>`;
