/** Server-Sent Events as the service writes them: fields, one a line, and an empty line after each event. */
export interface Frame {
  event: string;
  data: string;
}

export async function* readFrames(
  body: ReadableStream<Uint8Array> | null,
  heard: () => void,
): AsyncGenerator<Frame> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function frameOf(block: string): Frame {
  const frame = { event: '', data: '' };
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'event') frame.event = value;
    if (name === 'data') frame.data += frame.data ? `\n${value}` : value;
  }
  return frame;
}
