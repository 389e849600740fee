/**
 * WebM (Matroska, RFC 9559) of one VP9 track. All sizes are known before the first byte is written, so the index (Cues)
 * lies in front, and the file can be played and searched from its beginning:
 *
 *   EBML · Segment [ SeekHead · Info · Tracks · Cues · Cluster [ block … ] · Cluster … ]
 */
import { element, float, head, idBytes, text, unsigned } from './ebml.ts';

export interface Block {
  atMs: number;
  key: boolean;
  size: number;
}

export interface Video {
  width: number;
  height: number;
  durationMs: number;
  /** In order of time; the first is key. */
  blocks: readonly Block[];
}

const ids = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
};

const nanosecondsPerMs = 1_000_000;
/** A block has its time as the distance to its cluster's, in 16 bits. */
const longestClusterMs = 30_000;

/** `bytes` of the whole, and the whole itself, from the data of the blocks one after the other. */
export function webm(video: Video): {
  bytes: number;
  write(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
} {
  const clusters = clustersOf(video);
  const start = ebmlHeader();
  const before = beforeClusters(video, clusters);
  const clusterBytes = clusters.reduce((sum, { bytes }) => sum + bytes, 0);
  const segment = head(ids.segment, before.length + clusterBytes);
  return {
    bytes: start.length + segment.length + before.length + clusterBytes,
    async *write(data) {
      yield Buffer.concat([start, segment, before]);
      const source = data[Symbol.asyncIterator]();
      try {
        for (const cluster of clusters) {
          yield cluster.head;
          for (const block of cluster.blocks)
            yield Buffer.concat([block.head, await take(source, block.size)]);
        }
      } finally {
        await source.return?.();
      }
    },
  };
}

async function take(source: AsyncIterator<Uint8Array>, size: number): Promise<Uint8Array> {
  const next = await source.next();
  if (next.done || next.value.length !== size) throw new Error('the data of a block is not there');
  return next.value;
}

interface Cluster {
  atMs: number;
  head: Buffer;
  blocks: { head: Buffer; size: number }[];
  bytes: number;
}

/** Every key block begins a cluster, so that the index leads right to it. */
function clustersOf({ blocks, durationMs }: Video): Cluster[] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    if (!group || block.key || block.atMs - (group[0]?.atMs ?? 0) > longestClusterMs) groups.push([block]);
    else group.push(block);
  }
  return groups.map((group) => {
    const atMs = group[0]?.atMs ?? 0;
    const heads = group.map((block) => ({
      head:
        block === blocks.at(-1) && block.key
          ? lastBlockHead(block, atMs, durationMs)
          : simpleBlockHead(block, block.atMs - atMs),
      size: block.size,
    }));
    const timestamp = unsigned(ids.timestamp, atMs);
    const inside = heads.reduce((sum, each) => sum + each.head.length + each.size, timestamp.length);
    const clusterHead = Buffer.concat([head(ids.cluster, inside), timestamp]);
    return { atMs, head: clusterHead, blocks: heads, bytes: clusterHead.length - timestamp.length + inside };
  });
}

function simpleBlockHead({ key, size }: Block, fromCluster: number): Buffer {
  const inside = blockStart(fromCluster, key ? 0x80 : 0);
  return Buffer.concat([head(ids.simpleBlock, inside.length + size), inside]);
}

/** Only a group can say how long its block is shown; without that a video would end as its last picture begins. */
function lastBlockHead({ atMs, size }: Block, clusterMs: number, durationMs: number): Buffer {
  const inside = blockStart(atMs - clusterMs, 0);
  const duration = unsigned(ids.blockDuration, Math.max(1, durationMs - atMs));
  const block = head(ids.block, inside.length + size);
  const group = head(ids.blockGroup, duration.length + block.length + inside.length + size);
  return Buffer.concat([group, duration, block, inside]);
}

function blockStart(fromCluster: number, flags: number): Buffer {
  const start = Buffer.from([0x81, 0, 0, flags]);
  start.writeInt16BE(fromCluster, 1);
  return start;
}

const ebmlHeader = (): Buffer =>
  element(
    ids.ebml,
    // first: programs that guess types look for it near the beginning
    text(ids.docType, 'webm'),
    unsigned(ids.ebmlVersion, 1),
    unsigned(ids.ebmlReadVersion, 1),
    unsigned(ids.ebmlMaxIdLength, 4),
    unsigned(ids.ebmlMaxSizeLength, 8),
    unsigned(ids.docTypeVersion, 4),
    unsigned(ids.docTypeReadVersion, 2),
  );

function beforeClusters(video: Video, clusters: readonly Cluster[]): Buffer {
  const info = element(
    ids.info,
    unsigned(ids.timestampScale, nanosecondsPerMs),
    float(ids.duration, video.durationMs),
    text(ids.muxingApp, 'browserd'),
    text(ids.writingApp, 'browserd'),
  );
  const track = element(
    ids.trackEntry,
    unsigned(ids.trackNumber, 1),
    unsigned(ids.trackUid, 1),
    unsigned(ids.trackType, 1),
    unsigned(ids.flagLacing, 0),
    text(ids.codecId, 'V_VP9'),
    element(ids.video, unsigned(ids.pixelWidth, video.width), unsigned(ids.pixelHeight, video.height)),
  );
  const tracks = element(ids.tracks, track);
  // Their lengths do not depend on their values, so they are built once to be measured and once to be written.
  const seekHeadOf = (from: number) =>
    element(
      ids.seekHead,
      seek(ids.info, from),
      seek(ids.tracks, from + info.length),
      seek(ids.cues, from + info.length + tracks.length),
    );
  const seekHead = seekHeadOf(seekHeadOf(0).length);
  const front = Buffer.concat([seekHead, info, tracks]);
  const cues = cuesOf(clusters, front.length + cuesOf(clusters, 0).length);
  return Buffer.concat([front, cues]);
}

const seek = (id: number, position: number): Buffer =>
  element(ids.seek, element(ids.seekId, idBytes(id)), unsigned(ids.seekPosition, position));

function cuesOf(clusters: readonly Cluster[], from: number): Buffer {
  let position = from;
  const points = clusters.map(({ atMs, bytes }) => {
    const place = element(
      ids.cueTrackPositions,
      unsigned(ids.cueTrack, 1),
      unsigned(ids.cueClusterPosition, position),
    );
    position += bytes;
    return element(ids.cuePoint, unsigned(ids.cueTime, atMs), place);
  });
  return element(ids.cues, ...points);
}
