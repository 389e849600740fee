import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { WebLink } from '../../parts/untrusted.tsx';
import { Asked } from '../asked.tsx';
import { keyOf, usePart } from '../browser-queries.ts';
import { words } from '../timeline/event-words.ts';
import { LongText } from './long-text.tsx';
import { Panel } from './panel.tsx';

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
      title="Captchas"
      aside={
        waiting && (
          <Button small busy={solve.isPending} onClick={() => solve.mutate()}>
            Try to solve
          </Button>
        )
      }
    >
      {solve.error && <ErrorNote error={solve.error} />}
      <Asked query={query} label="Looking for captchas">
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">No page in front shows one.</p>
          ) : (
            <ul className="plain-list">
              {items.map(({ type, state, category, pageUrl, frameId, reason }) => (
                <li key={`${frameId} ${type}`} className="two-lines">
                  <span>
                    <b>{words(type)}</b> <Badge tone={tones[state]}>{state}</Badge>{' '}
                    {category === 'blocking' ? 'instead of the page' : 'in a form'}
                  </span>
                  <WebLink url={pageUrl} className="faint" />
                  {reason && <LongText text={reason} />}
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
    </Panel>
  );
}
