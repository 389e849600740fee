/**
 * The playground for scripts:
 *
 *   where it runs         │  outcome: result, logs, error, observation, screenshot
 *   editor, run, options  │  the browser, live
 */
import { useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { Button, LinkButton } from '../../parts/controls/controls.ts';
import { Page } from '../../shell/shell.tsx';
import { BrowserChoice, newBrowser } from './browser-choice.tsx';
import { CopyScript } from './copy-script.tsx';
import { CodeEditor, insertAtCaret } from './editor/editor.tsx';
import { Outcome } from './outcome/outcome.tsx';
import { RecentScripts } from './recent-list.tsx';
import { recentScripts, remember } from './recent-scripts.ts';
import '../../design/browser.css';
import '../../design/panels.css';
import './script.css';
import { ScriptOptions } from './script-options.tsx';
import { argsTrouble, emptyForm, type ScriptForm } from './script-request.ts';
import { ScriptWatch } from './script-watch.tsx';
import { useRun } from './use-run.ts';

export function ScriptPage() {
  const requested = new URLSearchParams(useSearch()).get('browser');
  const [chosen, setChosen] = useState(requested ?? newBrowser);
  const [keep, setKeep] = useState(false);
  const [recent, setRecent] = useState(recentScripts);
  const [form, setForm] = useState<ScriptForm>(() => ({ ...emptyForm, ...recent[0] }));
  const { run, start, abort } = useRun();
  const editor = useRef<HTMLTextAreaElement>(null);
  const isBusy = run.phase === 'starting' || run.phase === 'running';
  const isRunnable = !isBusy && form.code.trim() !== '' && argsTrouble(form.args) === undefined;
  const change = (part: Partial<ScriptForm>): void => setForm((before) => ({ ...before, ...part }));
  const onRun = (): void => {
    if (!isRunnable) return;
    setRecent(remember({ code: form.code, args: form.args, at: Date.now() }));
    void start(form, { browserId: chosen === newBrowser ? undefined : chosen, keep }).then(
      (left) => left && setChosen(left),
    );
  };
  const watched = chosen === newBrowser ? run.browser : undefined;
  return (
    <Page
      title="Script"
      lead="Run Playwright code with page, context and browser in scope. Return a value to see it as the result."
    >
      <div className="script-columns">
        <section className="panel" aria-label="Code">
          <div className="panel-body form">
            <BrowserChoice
              value={chosen}
              onValue={setChosen}
              keep={keep}
              onKeep={setKeep}
              disabled={isBusy}
            />
            <CodeEditor
              label="Code"
              value={form.code}
              onChange={(code) => change({ code })}
              onRun={onRun}
              fieldRef={editor}
            />
            <div className="row">
              {isBusy ? (
                <Button kind="danger" icon="stop" onClick={abort}>
                  Cancel
                </Button>
              ) : (
                <Button kind="primary" icon="play" disabled={!isRunnable} onClick={onRun}>
                  Run
                </Button>
              )}
              <CopyScript form={form} browserId={chosen === newBrowser ? undefined : chosen} />
            </div>
            <ScriptOptions form={form} onChange={change} />
            <RecentScripts scripts={recent} onPick={({ code, args }) => change({ code, args })} />
          </div>
        </section>
        <div className="script-side">
          <Outcome run={run} onRef={(text) => editor.current && insertAtCaret(editor.current, text)} />
          <section className="panel" aria-label="Browser">
            <header className="panel-head">
              <h2>Browser</h2>
              {chosen !== newBrowser && (
                <LinkButton to={`/app/browsers/${chosen}`} small icon="browsers">
                  Open this browser
                </LinkButton>
              )}
            </header>
            <ScriptWatch
              browserId={watched?.id ?? (chosen === newBrowser ? undefined : chosen)}
              isThere={chosen !== newBrowser || isBusy || keep}
            />
          </section>
        </div>
      </div>
    </Page>
  );
}
