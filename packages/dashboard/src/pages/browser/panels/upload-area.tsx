/** Uploads files that are chosen or dropped, one after the other; the first refusal stops them. */
import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { ErrorNote, useToast } from '../../../parts/notices/notices.ts';
import { size } from '../../../parts/text/text.ts';

export function UploadArea({ browser }: { browser: Browser }) {
  const queries = useQueryClient();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [current, setCurrent] = useState<File>();
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        setCurrent(file);
        await browser.files.upload(file);
      }
      return files.length;
    },
    onSuccess: (count) => toast.say(count === 1 ? 'Uploaded' : `${count} files uploaded`),
    onSettled: () => {
      setCurrent(undefined);
      refresh(queries, browser.id, ['files']);
    },
  });
  const take = (files: FileList | null): void => {
    if (files && files.length > 0 && !upload.isPending) upload.mutate([...files]);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut; the button does the same */}
      <div
        className={isOver ? 'upload over' : 'upload'}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            take(target.files);
            target.value = '';
          }}
        />
        <Button icon="upload" busy={upload.isPending} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <span className="soft" role="status">
          {current ? (
            <>
              Uploading <bdi>{current.name}</bdi> ({size(current.size)}) …
            </>
          ) : (
            'or drop them here'
          )}
        </span>
      </div>
      {upload.error && <ErrorNote error={upload.error} />}
    </>
  );
}
