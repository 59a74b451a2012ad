import type { Cell } from './spreadsheet.ts';
import { ZipFile } from './zip.ts';

/**
 * A workbook for Excel and LibreOffice, written as its rows arrive, in constant memory. It is a ZIP file of XML; Node
 * compresses in another thread, so that payments are not held up.
 */
export async function* xlsxOf(
  sheetName: string,
  columns: readonly { title: string; width: number }[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const names: string[] = [];
  const rows = pages[Symbol.asyncIterator]();
  let page = await rows.next();
  do {
    names.push(names.length === 0 ? sheetName : `${sheetName} ${names.length + 1}`);
    const sheet = sheetOf(columns, page, rows);
    yield* zip.file(`xl/worksheets/sheet${names.length}.xml`, sheet.parts());
    page = sheet.next();
  } while (!page.done);
  for (const [name, text] of framesOf(names)) yield* zip.file(name, [text]);
  yield zip.end();
}

type Page = IteratorResult<readonly (readonly Cell[])[]>;

/** Excel opens no sheet with more rows; the next ones go to another. */
const mostRows = 1_048_576;

function sheetOf(
  columns: readonly { title: string; width: number }[],
  first: Page,
  rows: AsyncIterator<readonly (readonly Cell[])[]>,
) {
  let page = first;
  return {
    async *parts(): AsyncGenerator<string> {
      yield sheetHead(columns);
      let written = 1;
      for (; !page.done && written + page.value.length <= mostRows; page = await rows.next()) {
        written += page.value.length;
        yield page.value.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join('');
      }
      yield '</sheetData></worksheet>';
    },
    /** The rest that did not fit. */
    next: () => page,
  };
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The columns' names stay in view. */
function sheetHead(columns: readonly { title: string; width: number }[]): string {
  const widths = columns.map(
    ({ width }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const titles = columns.map(({ title }) => textXml(title, 3));
  return `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row>${titles.join('')}</row>`;
}

const dayMs = 86_400_000;
/** The day number of 1970 in spreadsheets. */
const firstDay = 25_569;

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'string') return textXml(cell, 0);
  if ('localMs' in cell) return `<c s="1"><v>${firstDay + cell.localMs / dayMs}</v></c>`;
  const { amountMinor } = cell;
  return `<c s="2"><v>${Number(amountMinor) / 100}</v></c>`;
}

const longestText = 32_767;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** XML cannot contain these characters, not even escaped. */
const notInXml = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu;

/** As text it is never taken for a formula. Excel reads `_x0041_` as a letter, so the underscore is escaped. */
function textXml(text: string, style: number): string {
  const safe = text
    .slice(0, longestText)
    .toWellFormed()
    .replace(notInXml, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>]/g, (character) => entities[character]!);
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${safe}</t></is></c>`;
}

function framesOf(names: readonly string[]): [name: string, text: string][] {
  const each = (text: (name: string, number: number) => string) =>
    names.map((name, index) => text(name, index + 1)).join('');
  const sheets = each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`);
  const overrides = each(
    (_name, n) =>
      `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`,
  );
  const links = each(
    (_name, n) =>
      `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  const style = `<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/>`;
  return [
    [
      '[Content_Types].xml',
      `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${overrides}</Types>`,
    ],
    [
      '_rels/.rels',
      `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xml}<Relationships xmlns="${relations}">${links}${style}</Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" xfId="0" applyNumberFormat="1"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    ],
  ];
}
