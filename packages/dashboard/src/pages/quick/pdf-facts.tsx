/** A PDF is not displayed, because that would need a frame for untrusted bytes; its pages are counted, and it can be saved. */
import { useEffect, useState } from 'react';
import { Icon } from '../../parts/controls/controls.ts';
import { pagesIn } from './pdf-pages.ts';

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
