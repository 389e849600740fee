/** Captchas of the pages in front, and the button to solve them. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf, Loaded, usePart } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { Badge, ErrorNote, type Tone } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { asWords, LongText, WebLink } from '../../../parts/text/text.ts';

const tones: Record<api.Captcha['state'], Tone> = {
  detected: 'warning',
  solving: 'busy',
  solved: 'good',
  failed: 'bad',
};

export function CaptchaPanel({ browser }: { browser: Browser }) {
  const queries = useQueryClient();
  const query = usePart(browser, 'captcha', (signal) => browser.captcha.get({}, { signal }));
  const solve = useMutation({
    mutationFn: () => browser.captcha.resolve(),
    onSuccess: (found) => queries.setQueryData(keyOf(browser.id, 'captcha'), found),
  });
  const waiting = query.data?.items.some(({ state }) => state === 'detected' || state === 'failed');
  return (
    <Panel
      title="CAPTCHAs"
      aside={
        waiting && (
          <Button small busy={solve.isPending} onClick={() => solve.mutate()}>
            Try solving it
          </Button>
        )
      }
    >
      {solve.error && <ErrorNote error={solve.error} />}
      <Loaded query={query} label="Looking for CAPTCHAs">
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">No CAPTCHA on the active page.</p>
          ) : (
            <ul className="plain-list">
              {items.map(({ type, state, category, pageUrl, frameId, reason }) => (
                <li key={`${frameId} ${type}`} className="two-lines">
                  <span>
                    <b>{asWords(type)}</b> <Badge tone={tones[state]}>{state}</Badge>{' '}
                    {category === 'blocking' ? 'instead of the page' : 'in a form'}
                  </span>
                  <WebLink url={pageUrl} className="faint" />
                  {reason && <LongText text={reason} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
