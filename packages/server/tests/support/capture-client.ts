import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { type Api, patient } from './client.ts';
import { expectContract } from './contract.ts';

/** Screenshots and PDFs of the specs, with their JSON answers checked like all others. */
export interface Captured {
  status: number;
  bytes: Buffer;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

export const capture = (
  api: Api,
  id: string,
  kind: 'screenshot' | 'pdf',
  body?: object,
  signal?: AbortSignal,
): Promise<Captured> => captureAt(api, `/v1/browsers/${id}/${kind}`, body, signal);

export async function captureAt(
  api: Api,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Captured> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.key}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(patient(path, body)),
    signal,
  });
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!headers.get('content-type')?.includes('json')) return { status, headers, bytes, body: undefined };
  const answer = { status, headers, bytes, body: JSON.parse(bytes.toString()) };
  expectContract('POST', path, answer);
  return answer;
}

export interface Image {
  width: number;
  height: number;
  /** Red, green, blue and opacity of a pixel. */
  at(x: number, y: number): number[];
}

export function readPng({ status, bytes, body }: Pick<Captured, 'status' | 'bytes' | 'body'>): Image {
  expect({ status, body }).toEqual({ status: 200, body: undefined });
  const { width, height, data } = PNG.sync.read(bytes);
  return {
    width,
    height,
    at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)],
  };
}
