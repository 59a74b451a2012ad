const tables =
  'approvals|payments|refunds|reversals|disbursements|settlements|checkout_sessions|deliveries';

/** The tables whose status the statements of a source file change. */
export function changedIn(source: string): string[] {
  const updates = `(?:UPDATE|INSERT INTO) (${tables})\\b(?:(?!\\b(?:UPDATE|INSERT INTO) \\w)[^\`])*?\\bSET\\b`;
  const clause = '((?:(?!\\b(?:FROM|WHERE|RETURNING)\\b)[^`])*)';
  const text = source.replaceAll('DO UPDATE SET', 'SET');
  return [...text.matchAll(new RegExp(updates + clause, 'g'))]
    .filter(([, , set]) => /(^|[\s,])status = /.test(set!))
    .map(([, table]) => table!);
}
