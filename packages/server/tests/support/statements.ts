/** Counts the statements that this process sends to PostgreSQL while some work is done. */
import { Client } from 'pg';

export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function counted(this: Client, ...args: unknown[]) {
    const [first] = args;
    sent.push(typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? ''));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
    return sent;
  } finally {
    Client.prototype.query = query;
  }
}
