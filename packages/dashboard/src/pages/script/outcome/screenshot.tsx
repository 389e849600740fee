/** The screenshot of a run, which is a file of the browser. */
import type { Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { Picture } from '../../../parts/files/files.ts';
import { ErrorNote } from '../../../parts/notices/notices.ts';

export function Screenshot({ browser, fileId }: { browser: Browser; fileId: string }) {
  const { data, error } = useQuery({
    queryKey: ['browser', browser.id, 'picture', fileId],
    queryFn: async ({ signal }) => (await browser.files.content(fileId, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <h3>Screenshot</h3>
      {error && <ErrorNote error={error} />}
      {data && <Picture content={data} label="The page after the run" />}
    </>
  );
}
