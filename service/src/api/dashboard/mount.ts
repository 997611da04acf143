import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../http/deps.ts'
import { countVisitor, refuseUnserved } from '../http/limits.ts'

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
  const policy = contentPolicy(testCodesUrl)
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    server.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        countVisitor(deps, request, reply)
        return handler(request, reply)
      },
    })
  server.get('/', (request, reply) => {
    // Programs get the usual answer of an unknown path.
    if (!(request.headers.accept ?? '').includes('text/html')) refuseUnserved(deps, request, reply)
    countVisitor(deps, request, reply)
    return reply.redirect('dashboard/', 302)
  })
  get('/dashboard', (_request, reply) => reply.redirect('dashboard/', 308))
  get('/dashboard/settings.json', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ testCodesUrl }),
  )
  for (const [name, body] of files) {
    if (name === PAGE) continue
    get(`/dashboard/${name}`, (_request, reply) =>
      reply.type(typeOf(name)).header('cache-control', FOREVER).send(body),
    )
  }
  // An old page may ask for a file of the build before; the page is no answer to that.
  server.get('/dashboard/assets/*', (request, reply) => refuseUnserved(deps, request, reply))
  get('/dashboard/*', (request, reply) =>
    reply
      .type(HTML)
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .send(withPaths(page.toString(), request.url)),
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

/** Allows only own files and requests, and no inline code; in the sandbox also its test codes. */
function contentPolicy(testCodesUrl: string): string {
  const codes = testCodesUrl === '' ? '' : ` ${new URL(testCodesUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${codes}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join(';')
}
