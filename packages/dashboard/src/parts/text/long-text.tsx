/** Untrusted text of any length: the beginning, and the rest on demand; never a whole megabyte. */
const short = 240;
const most = 20_000;

export function LongText({ text }: { text: string }) {
  if (text.length <= short) return <bdi className="long-text">{text}</bdi>;
  return (
    <details className="long-text">
      <summary>
        <bdi>{text.slice(0, short)}…</bdi>
      </summary>
      <pre>
        <bdi>{text.slice(0, most)}</bdi>
        {text.length > most && `\n… ${text.length - most} more characters`}
      </pre>
    </details>
  );
}
