/** Spellings of hosts in a URL that lead to a place no delivery may go to, here or on some network. */

/** Internal addresses: one or more of each kind. */
const inside = `
  127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.254 192.168.1.1 169.254.169.254
  169.254.170.2 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 224.0.0.1 239.255.255.250
  255.255.255.255`;

const words = (text: string) => text.trim().split(/\s+/);
const partsOf = (ipv4: string) => ipv4.split('.').map(Number) as [number, number, number, number];
const hex = (value: number) => value.toString(16);
const octal = (value: number) => `0${value.toString(8)}`;
const moved = (text: string, zero: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero.codePointAt(0)! + Number(digit)));

/** URL parsers read each of these as the same IPv4 address. */
export function spellingsOfIpv4(ipv4: string): string[] {
  const [a, b, c, d] = partsOf(ipv4);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const dependencies = [a, b, c, d];
  return [
    ipv4,
    `${ipv4}.`,
    `${whole}`,
    `0x${hex(whole)}`,
    octal(whole),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    dependencies.map((part) => `0x${hex(part)}`).join('.'),
    dependencies.map((part) => `0X${hex(part).toUpperCase().padStart(8, '0')}`).join('.'),
    dependencies.map(octal).join('.'),
    dependencies.map((part) => `000${octal(part)}`).join('.'),
    `${a}.${octal(b)}.0x${hex(c * 256 + d)}`,
    `0x${hex(a)}.${(b * 256 + c) * 256 + d}`,
    moved(ipv4, '０'),
    moved(ipv4, '𝟬').replaceAll('.', '．'),
    ipv4.replaceAll('.', '。'),
    encodeURIComponent(moved(ipv4, '０')),
    ipv4.replace(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** IPv6 addresses that contain an IPv4 address: mapped, compatible, translated, tunnelled. */
export function carriersOf(ipv4: string): string[] {
  const [a, b, c, d] = partsOf(ipv4);
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  return [
    `[::ffff:${ipv4}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high.toUpperCase()}:${low.toUpperCase()}]`,
    `[::${ipv4}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[64:ff9b::${ipv4}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[fe80::5efe:${ipv4}]`,
  ];
}

const otherIpv6 = words(`
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::0.0.0.1] [2001::1] [2001:10::1] [2001:20::1]
  [2001:db8::1] [3fff::1] [100::1] [5f00::1] [4000::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254]
  [fe80::1] [febf::1] [fec0::1] [ff01::1] [ff02::1] [ff05::2] [2620:4f:8000::1]`);

const otherIpv4 = words(`
  127.1 127.0.1 127.0x1 127.0.0.0x 0 00 0x0 0x 012.1 192.168.257 ①②⑦.⓪.⓪.① 192.0.2.1 192.31.196.1 192.52.193.1
  192.88.99.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 240.0.0.1`);

const publicAddress = '8.8.8.8';

/** Names with their addresses in these tests. */
export const hostileNames: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'nothing.example': [],
  'nonsense.example': ['localhost'],
  'zone.example': ['fe80::1%lo'],
  'octal.example': ['0177.0.0.1'],
  'xn--80ak6aa92e.example': ['127.0.0.1'],
  'mixed6.example': ['2606:4700::1111', '::1'],
  'mixed46.example': [publicAddress, '2606:4700::1111', 'fd00::1'],
  ...Object.fromEntries(
    words(inside).flatMap((ipv4, index) => [
      [`plain${index}.example`, [ipv4]],
      [`mapped${index}.example`, [`::ffff:${ipv4}`]],
      [`last${index}.example`, [publicAddress, ipv4]],
      [`first${index}.example`, [ipv4, publicAddress]],
    ]),
  ),
};

export const hostileHosts: string[] = [
  ...words(inside).flatMap(spellingsOfIpv4),
  ...words(inside).flatMap(carriersOf),
  ...otherIpv6,
  ...otherIpv4,
  ...Object.keys(hostileNames),
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'localhost%2e',
];
