import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A page in a file of its own, loaded when it is opened. The files are named by their content, so those of a tab that
 * was opened before an update are gone; such a tab is loaded anew by itself, once. Where the service does not answer
 * that would leave nothing on the screen, so there the failure is told instead.
 */
export const lazyPage = (load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      if (wasReloaded() || !(await isServed())) throw error;
      location.reload();
      return new Promise<never>(() => undefined);
    }
  });

const wasReloaded = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');

const isServed = (): Promise<boolean> =>
  fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
