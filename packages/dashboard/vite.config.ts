import { defineConfig } from 'vite';

/**
 * Built for the policy that the service sends with it (server, http/routes/dashboard.ts): every script, style and image
 * is a file of its own under assets/, named by its content, and nothing is inline.
 */
export default defineConfig({
  base: '/',
  publicDir: false,
  build: {
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: 'es2022',
  },
});
