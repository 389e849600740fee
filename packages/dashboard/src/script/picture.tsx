import { useEffect, useState } from 'react';

/** Bytes as an image. Only as an image: whatever else they were, nothing would run. */
export function Picture({ content, label }: { content: Blob; label: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url && <img className="picture" src={url} alt={label} />;
}
