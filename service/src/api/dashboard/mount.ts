import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from '../http/deps.ts'
import { countVisitor, refuseUnserved } from '../http/limits.ts'
import { openRoute, pagePolicy } from '../http/open-route.ts'

/** Written by `npm run build`. */
const FILES = new URL('../../../../dashboard/dist/', import.meta.url)
const PAGE = 'index.html'
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
const HTML = 'text/html; charset=utf-8'
/** The names of assets contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'

type Deps = Pick<ServerDeps, 'limits' | 'peerOf' | 'settings'>

/**
 * Serves the dashboard below `/dashboard/`, from files that are read at the start; `/` redirects
 * browsers to it. Every path without a file is the page, which reads its address itself. Without
 * credentials; counted as reads of the address. Serves nothing if the files were not built.
 */
export function mountDashboard(server: FastifyInstance, deps: Deps): void {
  const files = readFiles()
  const page = files.get(PAGE)
  if (page === undefined) return
  const { testCodesUrl = '' } = deps.settings
  const html = page.toString()
  const policy = pagePolicy({
    // The sandbox gives the codes of its test persons at another port.
    connections: testCodesUrl === '' ? [] : [new URL(testCodesUrl).origin],
    more: ["require-trusted-types-for 'script'"],
  })
  server.get('/', (request, reply) => {
    // Programs get the usual answer of an unknown path.
    if (!(request.headers.accept ?? '').includes('text/html')) refuseUnserved(deps, request, reply)
    countVisitor(deps, request, reply)
    return reply.redirect('dashboard/', 302)
  })
  openRoute(server, deps, '/dashboard', (_request, reply) => reply.redirect('dashboard/', 308))
  openRoute(server, deps, '/dashboard/settings.json', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ testCodesUrl }),
  )
  for (const [name, body] of files) {
    if (name === PAGE) continue
    openRoute(server, deps, `/dashboard/${name}`, (_request, reply) =>
      reply.type(typeOf(name)).header('cache-control', FOREVER).send(body),
    )
  }
  // An old page may ask for a file of the build before; the page is no answer to that.
  server.get('/dashboard/assets/*', (request, reply) => refuseUnserved(deps, request, reply))
  openRoute(server, deps, '/dashboard/*', (request, reply) =>
    reply
      .type(HTML)
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(withPaths(html, request.url)),
  )
}

/** The files of the build by their path, such as `assets/index-1a2b.js`. */
function readFiles(): Map<string, Buffer> {
  if (!existsSync(FILES)) return new Map()
  const paths = readdirSync(FILES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const root = fileURLToPath(FILES)
  const nameOf = (path: string) => path.slice(root.length).replaceAll(sep, '/')
  return new Map(paths.map((path) => [nameOf(path), readFileSync(path)]))
}

function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

/** The page refers to its files with `./`; deeper addresses need more steps up. */
function withPaths(html: string, url: string): string {
  const [path = ''] = url.split('?')
  const depth = path.slice('/dashboard/'.length).split('/').length - 1
  return depth === 0 ? html : html.replaceAll('"./', `"${'../'.repeat(depth)}`)
}
