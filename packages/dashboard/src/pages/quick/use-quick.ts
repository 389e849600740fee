/** Runs a quick action; leaving the page aborts it. */
import type { api } from '@browserd/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient } from '../../session/session.ts';
import { bodyOf, type QuickForm } from './quick-request.ts';

/** The answer, and how long it took as seen from this page. */
export type Made =
  | { action: 'scrape'; scraped: api.QuickScraped; tookMs: number }
  | { action: 'screenshot' | 'pdf'; content: Blob; tookMs: number };

export function useQuick() {
  const client = useClient();
  const current = useRef<AbortController>(undefined);
  const abort = (): void => current.current?.abort();
  useEffect(() => () => current.current?.abort(), []);
  const action = useMutation({
    mutationFn: async (form: QuickForm): Promise<Made> => {
      const end = new AbortController();
      const { signal } = end;
      current.current = end;
      const began = performance.now();
      const took = (): number => performance.now() - began;
      const body = bodyOf(form);
      if (form.action === 'scrape') {
        const scraped = await client.scrape(body, { signal });
        return { action: 'scrape', scraped, tookMs: took() };
      }
      const made = form.action === 'pdf' ? client.pdf(body, { signal }) : client.screenshot(body, { signal });
      const content = await (await made).blob();
      return { action: form.action, content, tookMs: took() };
    },
  });
  return { ...action, abort };
}
