/** What the operator decides about browsers; the names are those of the configuration, which this room does not read itself. */
export interface BrowsersConfig {
  dataDir: string;
  scratchDir: string;
  exchangeDir: string;
  storageReserve: number;
  sandbox: 'on' | 'off';
  browserDisk: number;
  projectDisk: number | null;
  maxTabs: number;
  browserMemoryMb: number;
  maxBrowserMemoryMb: number;
  launchTimeout: number;
  cdpTimeout: number;
  chromiumMessageLimit: number;
  dialogTimeout: number;
  dnsServers: readonly string[];
  filterLists: readonly string[];
  consoleEvents: 'on' | 'off';
  networkLog: 'on' | 'off';
  poolSize: number;
  maxBrowsers: number;
  maxBrowsersPerProject: number | null;
  queueLimit: number;
  downloadLimit: number;
  recordingMaxDuration: number;
  recordingMaxSize: number;
  checkpointInterval: number;
  profileInterval: number;
  /** Set: this is a node of a cluster. */
  clusterAddress: string | null;
  vaultInterval: number;
  lease: number;
  drain: 'handover' | 'stop';
  maxDuration: number;
}
