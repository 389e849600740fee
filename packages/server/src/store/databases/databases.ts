/** The two databases below the tables: opening them, their failures, their signals about new events. */
export { askCluster, type KnownNode } from './ask-cluster.ts';
export { askPostgres } from './ask-postgres.ts';
export { askSealingKeys } from './ask-sealing.ts';
export { answeringSoon, attempt, attempting } from './attempt.ts';
export { nowOf } from './clock.ts';
export type { Connection, Database, Kind } from './database.ts';
export { databaseName } from './database-name.ts';
export { failureOf } from './failure.ts';
export { type LeaseConnection, leaseConnection } from './lease-connection.ts';
export { openPostgres, type StoreLog } from './postgres.ts';
export { type Row, rowShape } from './row.ts';
export {
  aboutOf,
  openBytes,
  openLargeText,
  openText,
  type SealedConnection,
  sealedBy,
  sealLargeText,
  sealText,
} from './sealed.ts';
export { searchText, searchWords } from './search-text.ts';
export { announceHomeless, localSignals, postgresSignals, type Signals } from './signals.ts';
export { openSqlite } from './sqlite.ts';
export { inTransaction, noteAppended } from './transaction.ts';
