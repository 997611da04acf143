import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds static files with hashed names. Addresses are relative, so the pages work behind a path
 * prefix; no file is inlined, because the content policy allows no inline code.
 */
export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: { '@sluice/client': at('../client/src/index.ts') } },
  build: {
    outDir: at('dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false, bundlerTimings: false },
      onLog: (level, log, report) => {
        // Libraries mark their files for server rendering, which is not used here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
})
