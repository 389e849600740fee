/** What the service asks of the page that encodes, and what that gives. */
export interface PictureSent {
  atMs: number;
  key: boolean;
  /** Base64; undefined shows the one before again. */
  jpeg: string | undefined;
}

export interface ChunkGiven {
  atMs: number;
  key: boolean;
  /** Base64. */
  data: string;
}

/** encoding.ts: a video encoder. */
export interface EncodingProgram {
  /** Why this Chromium cannot encode; undefined when it can. */
  open(wanted: {
    codec: string;
    width: number;
    height: number;
    bitrate: number;
  }): Promise<string | undefined>;
  encode(pictures: PictureSent[]): Promise<ChunkGiven[]>;
}
