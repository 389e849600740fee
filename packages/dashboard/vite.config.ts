/**
 * Built for the policy that the service sends with it (server, http/routes/dashboard.ts): every script, style and image
 * is a file of its own under assets/, named by its content, and nothing is inline.
 */
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  publicDir: false,
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: 'es2022',
    // the first versions with light-dark(), which both themes need
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      // "use client" in libraries means nothing here
      onLog: (level, log, print) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log);
      },
    },
  },
});
