/** The page's style. Charts take their colours from here too, to suit light and dark. */
export const style = `
:root {
  --paper: #fdfcfa; --ink: #1d1b18; --soft: #6b655c; --line: #e4dfd6; --track: #f1ede6;
  --one: #1f6f78; --two: #b4541a; --good: #2f7d4f; --bad: #b3261e; --floor: #a79f92;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --ink: #edeae4; --soft: #a29b8f; --line: #34312c; --track: #24221f;
    --one: #6cc3cc; --two: #eb9a63; --good: #6cc08b; --bad: #f2837b; --floor: #6f695f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 40px 28px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 40px 0 12px; }
.facts { color: var(--soft); font-size: 13px; margin: 0; }
.lead { font-size: 17px; margin: 20px 0 8px; }
.doubt { border-left: 3px solid var(--bad); padding-left: 12px; margin: 12px 0 0; }
figure { margin: 28px 0 0; min-width: 0; }
.full { overflow-x: auto; }
.wide { min-width: 720px; }
figcaption span { color: var(--soft); font-size: 13px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 0 36px; }
svg { display: block; width: 100%; height: auto; margin-top: 8px; overflow: visible; }
text { fill: var(--ink); font-size: 13px; font-variant-numeric: tabular-nums; }
.tick { fill: var(--soft); font-size: 12px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: var(--line); }
.curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.curve.c1 { stroke: var(--one); } .curve.c2 { stroke: var(--two); }
.dashed { stroke-dasharray: 2 6; }
.dot.c1, .band.c1, .t1 { fill: var(--one); } .dot.c2, .band.c2, .t2 { fill: var(--two); }
.band { opacity: 0.16; }
.name { font-weight: 600; }
.track { fill: var(--track); }
.met { fill: var(--good); } .missed { fill: var(--bad); } .rate { fill: var(--one); } .floor { fill: var(--floor); }
.limit { stroke: var(--ink); stroke-width: 2; }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 28px 40px;
  align-items: start; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 5px 0 5px 12px; border-top: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; font-size: 13px; border-top: 0; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.tables figure { margin: 0; }
.broad { grid-column: 1 / -1; max-width: 860px; }
.scrolls { overflow-x: auto; margin-top: 6px; }
.scrolls :is(th, td):first-child { position: sticky; left: 0; background: var(--paper); }
@media (max-width: 600px) {
  /* The tables say the same, and fit. */
  .full { display: none; }
  main { padding: 28px 16px 48px; }
  .scrolls td:first-child { white-space: normal; min-width: 96px; }
}
`;
