/**
 * Text from a web page or another user: titles, addresses, names, console lines. It is text and never markup; it cannot
 * reverse the text around it (bdi), and a megabyte of it is cut before it reaches the layout.
 */
const most = 2000;
const cut = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text);

export function Untrusted({ text, className = '' }: { text: string; className?: string }) {
  const short = cut(text);
  return (
    <bdi className={`untrusted ${className}`} title={short}>
      {short}
    </bdi>
  );
}

const isWeb = (url: string): boolean => {
  try {
    return ['http:', 'https:'].includes(new URL(url).protocol);
  } catch {
    return false;
  }
};

/** A link only for http and https; `javascript:` and the like stay text. */
export function WebLink({ url, className = '' }: { url: string; className?: string }) {
  if (!isWeb(url)) return <Untrusted text={url} className={className} />;
  return (
    <a
      className={`untrusted ${className}`}
      href={url}
      title={cut(url)}
      target="_blank"
      rel="noreferrer noopener"
      referrerPolicy="no-referrer"
    >
      <bdi>{cut(url)}</bdi>
    </a>
  );
}
