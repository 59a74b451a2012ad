// temporary
export async function createMerchant({ database, clock, ids }: any, name: string) {
  const id = ids.next(clock.nowMs());
  await database.query({ text: 'INSERT INTO merchants VALUES ($1,$2,now())' }, [id, name]);
  for (const mode of ['live', 'test']) await database.query({ text: 'INSERT INTO tenants VALUES ($1,$2,$3,now())' }, [ids.next(clock.nowMs()), id, mode]);
  return { id };
}
