import { useQuery } from '@tanstack/react-query';
import { Icon } from '../parts/icon.tsx';
import { pagesIn } from './pdf-pages.ts';

/** A PDF is not shown here, because that would take a frame for bytes that a page made; it is counted and saved. */
export function PdfFacts({ content }: { content: Blob }) {
  const { data: pages } = useQuery({
    queryKey: ['pdf-pages', content.size, content],
    queryFn: async () => pagesIn(await content.text()),
    gcTime: 0,
  });
  return (
    <div className="pdf-facts">
      <Icon name="file" size={40} />
      <p>{pages ? `${pages} ${pages === 1 ? 'page' : 'pages'}` : 'A PDF document'}</p>
      <p className="soft">Save it to read it in your PDF viewer.</p>
    </div>
  );
}
