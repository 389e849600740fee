/** What came of one page: its text as text, its picture, its PDF to save, or why there is nothing. */
import type { api } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../data/data.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { Picture, SaveButton } from '../../parts/files/files.ts';
import { jsonText, size, Untrusted, WebLink } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

export function ResultContent({ result }: { result: api.JobResult }) {
  const { error, scraped, file, finalUrl, url, foundOn, attempts, fromCache, depth } = result;
  const facts = [
    attempts > 1 && `${attempts} attempts`,
    depth !== null && `depth ${depth}`,
    fromCache && 'from the cache',
  ].filter(Boolean);
  return (
    <div className="job-result">
      {facts.length > 0 && <p className="faint">{facts.join(' · ')}</p>}
      {finalUrl && finalUrl !== url && (
        <p className="job-address">
          <span className="faint">led to</span> <WebLink url={finalUrl} />
        </p>
      )}
      {foundOn && (
        <p className="job-address">
          <span className="faint">found on</span> <WebLink url={foundOn} />
        </p>
      )}
      {error && (
        <p>
          <Untrusted text={error.message} className="job-remark" /> <code>{error.code}</code>
        </p>
      )}
      {scraped && <ScrapedText scraped={scraped} />}
      {file && <ResultFile file={file} />}
    </div>
  );
}

function ScrapedText({ scraped }: { scraped: api.QuickScraped }) {
  const value = scraped.data ?? scraped.content;
  const text = typeof value === 'string' ? value : jsonText(value);
  return (
    <>
      <p className="job-result-head">
        <span className="faint">
          {`${scraped.chars.toLocaleString()} characters of ${scraped.format}${scraped.truncated ? ', cut' : ''}`}
        </span>
        <CopyButton text={text} what="text" />
      </p>
      <pre className="code-block">
        <bdi>{text.slice(0, mostShown)}</bdi>
        {text.length > mostShown && `\n… ${(text.length - mostShown).toLocaleString()} more characters`}
      </pre>
    </>
  );
}
/** More would make the page slow; Copy has all of it. */
const mostShown = 50_000;

function ResultFile({ file }: { file: api.ProjectFile }) {
  const client = useClient();
  const isPicture = file.mimeType.startsWith('image/');
  const picture = useQuery({
    queryKey: ['file', file.id],
    queryFn: async ({ signal }) => (await client.files.content(file.id, { signal })).blob(),
    enabled: isPicture,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <p className="job-result-head">
        <span className="faint">
          <bdi>{file.name}</bdi> · {size(file.size)}
        </span>
        <SaveButton
          name={file.name}
          label={`Save ${file.name}`}
          labelled
          fetch={(signal) => client.files.content(file.id, { signal })}
        />
      </p>
      {isPicture && (
        <Loaded query={picture} rows={2} label="Loading the picture">
          {(content) => <Picture content={content} label={`Screenshot ${file.name}`} />}
        </Loaded>
      )}
    </>
  );
}
