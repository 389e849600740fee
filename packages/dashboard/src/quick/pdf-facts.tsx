import { useEffect, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { pagesIn } from './pdf-pages.ts';

/** A PDF is not shown here, because that would take a frame for bytes that a page made; it is counted and saved. */
export function PdfFacts({ content }: { content: Blob }) {
  const [pages, setPages] = useState<number>();
  useEffect(() => {
    let isShown = true;
    setPages(undefined);
    content
      .text()
      .then((text) => isShown && setPages(pagesIn(text)))
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [content]);
  return (
    <div className="pdf-facts">
      <Icon name="file" size={40} />
      <p>{pages ? `${pages} ${pages === 1 ? 'page' : 'pages'}` : 'A PDF document'}</p>
      <p className="soft">Save it to read it in your PDF viewer.</p>
    </div>
  );
}
