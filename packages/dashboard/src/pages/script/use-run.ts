/**
 * A run of the playground:
 *
 *   idle ── run ──> starting (a browser of its own, if one is wanted) ──> running ──> done
 *                                       └────────── abort ──────────────────┘
 */
import type { api, Browser, Browserd } from '@browserd/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../session/session.ts';
import { requestOf, type ScriptForm } from './script-request.ts';

export interface Run {
  phase: 'idle' | 'starting' | 'running' | 'done';
  browser?: Browser;
  execution?: api.ScriptExecution;
  error?: unknown;
  tookMs?: number;
}

export interface Where {
  /** An existing browser; undefined for a new one. */
  browserId?: string | undefined;
  keep: boolean;
}

/** `start` gives the id of the browser that is left afterwards. */
export function useRun() {
  const client = useClient();
  const [run, setRun] = useState<Run>({ phase: 'idle' });
  const current = useRef<AbortController>(undefined);
  const abort = useCallback(() => current.current?.abort(), []);
  useEffect(() => abort, [abort]);
  const start = useCallback(
    async (form: ScriptForm, { browserId, keep }: Where): Promise<string | undefined> => {
      const end = new AbortController();
      const { signal } = end;
      current.current = end;
      const began = performance.now();
      setRun({ phase: 'starting' });
      let browser: Browser | undefined;
      try {
        browser = browserId ? client.browser(browserId) : await ownBrowser(client, keep, signal);
        setRun({ phase: 'running', browser });
        const execution = await browser.run(form.code, { ...requestOf(form), signal });
        setRun({ phase: 'done', browser, execution, tookMs: performance.now() - began });
      } catch (error) {
        setRun({ phase: 'done', browser, error: signal.aborted ? new Error(givenUp) : error });
      }
      if (browserId || keep) return browser?.id;
      // a browser for this run ends with it, however it went
      await browser?.close().catch(() => undefined);
      return undefined;
    },
    [client],
  );
  return { run, start, abort };
}

/** If the tab is closed during a run, nothing closes its browser; these limits do. */
const limits = { idleTimeout: 600_000, maxDuration: 3_600_000 };

/** A create cannot be recalled: after an abort the browser is awaited and closed. */
async function ownBrowser(client: Browserd, keep: boolean, signal: AbortSignal): Promise<Browser> {
  const creating = client.browsers.create({ name: 'Script playground', ...(!keep && limits) });
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([creating, aborted]);
  } catch (error) {
    creating.then((browser) => browser.close()).catch(() => undefined);
    throw error;
  }
}

const givenUp = 'You cancelled the run.';
