export async function checkLedger(_: any): Promise<unknown[]> { return []; }
