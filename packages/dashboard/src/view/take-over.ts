/**
 * Taking over from another page: the wish goes with the step to the page of the browser, not in its address, so that
 * neither a link nor a reload takes a browser away from its scripts.
 */
import { useEffect, useState } from 'react';

interface Wish {
  takeOver: string;
}

export const takeOverAt = (id: string): { path: string; options: { state: Wish } } => ({
  path: `/app/browsers/${id}?view=live`,
  options: { state: { takeOver: id } },
});

const isWished = (id: string): boolean => (history.state as Partial<Wish> | null)?.takeOver === id;

/** Whether this step was made to take the browser over. It is said once. */
export function useTakeOverWish(id: string): boolean {
  const [wished] = useState(() => isWished(id));
  useEffect(() => {
    if (isWished(id)) history.replaceState(null, '');
  }, [id]);
  return wished;
}
