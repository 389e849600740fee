/** The answer of a quick action. Text stays text: Markdown and HTML are shown as source. */
import type { api } from '@browserd/sdk';
import { Button } from '../../parts/controls/controls.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { Picture, saveBlob } from '../../parts/files/files.ts';
import { duration, jsonText, size, Untrusted, WebLink } from '../../parts/text/text.ts';
import { PdfFacts } from './pdf-facts.tsx';
import type { Made } from './use-quick.ts';

export function Preview({ made }: { made: Made }) {
  return made.action === 'scrape' ? <Scraped {...made} /> : <Drawn {...made} />;
}

function Scraped({ scraped, tookMs }: { scraped: api.QuickScraped; tookMs: number }) {
  const { title, finalUrl, statusCode, format, content, chars, truncated, timedOut, captcha, ...rest } =
    scraped;
  const text = typeof content === 'string' ? content : jsonText(content);
  return (
    <div className="panel">
      <header className="panel-head">
        <div className="preview-title">
          <Untrusted text={title || 'Untitled'} />
          <WebLink url={finalUrl} className="faint" />
        </div>
        <CopyButton text={text} what="text" />
      </header>
      <p className="preview-facts soft">
        {[
          statusCode !== null && `HTTP ${statusCode}`,
          `${chars} characters of ${format}${truncated ? ', cut' : ''}`,
          `${duration(scraped.elapsedMs)} in the service, ${duration(tookMs)} in all`,
          timedOut && 'time was up before the page was done',
          captcha.length > 0 && `captchas: ${captcha.map(({ type }) => type).join(', ')}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <pre className="code-block preview-text">
        <bdi>{text}</bdi>
      </pre>
      {listed.map(
        (name) =>
          rest[name] !== undefined && (
            <details key={name} className="preview-extra">
              <summary>
                {name}
                {Array.isArray(rest[name]) && ` (${rest[name].length})`}
              </summary>
              <pre className="code-block">{jsonText(rest[name])}</pre>
            </details>
          ),
      )}
    </div>
  );
}

const listed = ['data', 'links', 'headings', 'forms', 'images', 'metadata', 'tables'] as const;

function Drawn({ action, content, tookMs }: Exclude<Made, { action: 'scrape' }>) {
  const name = action === 'pdf' ? 'page.pdf' : `page.${content.type.split('/')[1] ?? 'png'}`;
  return (
    <div className="panel">
      <header className="panel-head">
        <h2>{action === 'pdf' ? 'PDF' : 'Screenshot'}</h2>
        <Button small icon="download" onClick={() => saveBlob(content, name)}>
          {`Save ${name}`}
        </Button>
      </header>
      <p className="preview-facts soft">
        {size(content.size)} · {duration(tookMs)}
      </p>
      <div className="panel-body">
        {action === 'pdf' ? <PdfFacts content={content} /> : <Picture content={content} label="The page" />}
      </div>
    </div>
  );
}
