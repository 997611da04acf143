import { readFileSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const service = join(dirname(fileURLToPath(import.meta.url)), '..', 'service')
const start = join(service, 'dist', 'cli', 'main.js')

/** Where the program lies that `sluice` runs, from the root of the repository. */
export const PROGRAM = 'service/dist/program'
const program = join(service, 'dist', 'program')

/**
 * Puts what the compiler made of the service into few files: Node took most of a second at each
 * start to find and load 1,650. One file is left for each command, loaded when it is asked for.
 */
export async function putTogether() {
  // Not at the top: whoever only asks whether all is built should not wait for it.
  const { build } = await import('vite')
  const options = { entryFileNames: '[name].js', chunkFileNames: '[name].js', keepNames: true }
  const { output } = await build({
    configFile: false,
    root: service,
    logLevel: 'warn',
    plugins: [{ name: 'places', transform: tellPlace }],
    define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
    ssr: { noExternal: true, external: installedLibraries() },
    build: {
      ssr: start,
      outDir: program,
      // What runs meanwhile may still want a file: those that nobody wants any more go in the end.
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: options },
    },
  })
  const wanted = new Set(output.map(({ fileName }) => fileName))
  for (const name of await readdir(program)) {
    if (!wanted.has(name)) rmSync(join(program, name))
  }
}

/** The libraries that are not bundled: a production install has them. */
function installedLibraries() {
  const manifest = JSON.parse(readFileSync(join(service, 'package.json'), 'utf8'))
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
}

/** A file goes on to look for its neighbours where the compiler has put it. */
function tellPlace(code, id) {
  if (id.startsWith('\0') || !code.includes('import.meta.url')) return null
  const place = relative(program, id).replaceAll(sep, '/')
  return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
}

/** Builds the static files of the dashboard into `dashboard/dist`. */
export async function bundlePages() {
  const { build } = await import('vite')
  await build({ configFile: join(service, '..', 'dashboard', 'vite.config.ts') })
}
