/** Draws each chart from the table beside it, which is all there is without this. */
(() => {
  /* global uPlot */
  const height = 220;
  /** What was drawn follows the width of its place. */
  const drawn = new Map();
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      drawn.get(target)?.setSize({ width: Math.max(contentRect.width, 160), height });
    }
  });

  function draw(place) {
    const rows = [...document.querySelectorAll(`#${place.dataset.chart} tbody tr`)];
    const values = (column) =>
      rows.map((row) => Number(row.cells[column].querySelector('data').value));
    const { timeZone, language, label, days } = place.dataset;
    const style = getComputedStyle(document.documentElement);
    const [accent, soft, line] = ['--accent', '--soft', '--line'].map((name) =>
      style.getPropertyValue(name),
    );
    const times = new Intl.DateTimeFormat(
      language,
      days === '1'
        ? { timeZone, hour: '2-digit', minute: '2-digit' }
        : { timeZone, day: '2-digit', month: 'short' },
    );
    const numbers = new Intl.NumberFormat(language, { notation: 'compact' });
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    // A bar needs room on both sides, and times between two bars are no times of ours.
    const barSeconds = days === '1' ? 3_600 : 86_400;
    const steps = days === '1' ? [1, 2, 3, 6, 12] : [1, 2, 7, 14, 30];
    const options = {
      width: Math.max(place.clientWidth, 160),
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), timeZone),
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { range: (_, first, last) => [first - barSeconds, last + barSeconds] },
        y: { range: (_, __, most) => [0, most * 1.1 || 1] },
      },
      axes: [
        {
          ...axis,
          // The first of the other axis stands beside the corner.
          gap: 10,
          size: 40,
          incrs: steps.map((step) => step * barSeconds),
          values: (_, seconds) => seconds.map((each) => times.format(each * 1_000)),
        },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((each) => numbers.format(each)) },
      ],
      series: [
        {},
        {
          label,
          stroke: accent,
          fill: accent,
          points: { show: false },
          paths: uPlot.paths.bars({ size: [0.7, 48] }),
        },
      ],
    };
    // In a tree of its own, the chart is no difference between this page and what the server sends next.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    root.replaceChildren(document.querySelector('link[href*="/uplot-"]').cloneNode());
    const host = root.appendChild(document.createElement('div'));
    drawn.set(place, new uPlot(options, [values(0), values(1)], host));
    sizes.observe(place);
  }

  function drawAll() {
    for (const [place, chart] of drawn) {
      if (place.isConnected) continue;
      sizes.unobserve(place);
      chart.destroy();
      drawn.delete(place);
    }
    for (const place of document.querySelectorAll('[data-chart]')) {
      if (!drawn.has(place)) draw(place);
    }
  }

  drawAll();
  document.addEventListener('refreshed', drawAll);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const place of drawn.keys()) draw(place);
  });
})();
