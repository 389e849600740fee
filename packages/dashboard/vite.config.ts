import { defineConfig } from 'vite';

/**
 * Built for the policy that the service sends with it (server, http/routes/dashboard.ts): every script, style and image
 * is a file of its own under assets/, named by its content, and nothing is inline.
 */
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
    // the first of each that know light-dark(), on which both themes stand
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      // "use client" in libraries means nothing here
      onLog: (level, log, tell) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
});
