/**
 * A page in a file of its own, loaded when it is opened. The files are named by their content, so a tab that was opened
 * before an update refers to files that are gone; such a tab reloads itself, once. While the service does not answer, that
 * would leave an empty screen, so the error is shown instead.
 */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

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
