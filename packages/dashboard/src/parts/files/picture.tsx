/** Bytes as an image, and only as an image: no code in them would run. */
import { useEffect, useState } from 'react';

export function Picture({ content, label }: { content: Blob; label: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url && <img className="picture" src={url} alt={label} />;
}
