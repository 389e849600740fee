/** What happened to the browsers of a project, in the order of `seq`. */
export interface NewEvent {
  projectId: string;
  browserId: string;
  type: string;
  at: number;
  data: Record<string, unknown>;
}

export interface EventRecord extends NewEvent {
  id: string;
  /** Grows with every event of the database. */
  seq: number;
}

export interface EventQuery {
  projectId: string;
  browserId?: string;
  /** Only these; absent: all. */
  types?: readonly string[];
  afterSeq?: number;
  beforeSeq?: number;
  newestFirst?: boolean;
  limit: number;
}

export interface EventTable {
  /** What was noted, not what comes with a change: a database server that crashes may forget the last moment of it. */
  append(events: readonly NewEvent[]): Promise<void>;
  /** Oldest first unless asked otherwise; between the two places, both exclusive. */
  list(query: EventQuery): Promise<EventRecord[]>;
  /** The `seq` of the project's last event; 0 when there is none. */
  last(projectId: string): Promise<number>;
  seqOf(projectId: string, id: string): Promise<number | undefined>;
  /**
   * Calls back when a project may have new events, written by this process or another one; without a project, when any
   * may. A hint: a reader that must not miss an event also polls now and then. The return value is the off switch.
   */
  watch(heard: (projectId?: string) => void): () => void;
  /** Other processes are told of what this one writes only while it is so; without a word they are. */
  tellOthers(isWanted: () => boolean): void;
}
