import { readFileSync } from 'node:fs'
import { ERRORS, EVENT_TYPES, OPERATIONS } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, openDoor } from '../../../test/support/door.ts'
import { openLimits } from '../../orgs/limits.ts'
import { contentsText } from './contents.ts'
import { errorsPage } from './error-catalogue.ts'
import { eventsPage } from './event-catalogue.ts'
import { docsFiles, readPages } from './files.ts'

const PATHS = [...docsFiles().keys()]
const HTML_PATHS = [...docsFiles()].flatMap(([path, { type }]) =>
  type.startsWith('text/html') ? [path] : [],
)

const written = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const bodyOf = (path: string) => String(docsFiles().get(path)?.body ?? '')

/** The target of a link, as a browser resolves it, also behind a prefix. */
function targetOf(page: string, href: string): URL {
  return new URL(href, `http://sluice.example/prefix${page}`)
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  )
}

describe('the catalogues', () => {
  const rewrite = 'is stale: run `node tools/generate-docs.mjs`'

  test('of errors and of events match the generated pages', () => {
    expect(written('errors.md') === errorsPage() || `docs/errors.md ${rewrite}`).toBe(true)
    expect(written('events.md') === eventsPage() || `docs/events.md ${rewrite}`).toBe(true)
  })

  test('of pages names every page', () => {
    expect(written('llms.txt') === contentsText(readPages()) || `llms.txt ${rewrite}`).toBe(true)
    for (const { name } of readPages()) expect(bodyOf('/llms.txt')).toContain(`(docs/${name}.md)`)
    for (const { name, summary } of readPages())
      if (!name.startsWith('decisions/'))
        expect([name, summary]).toEqual([name, expect.stringMatching(/^\S.{15,240}[.]$/)])
  })

  test('of errors and events has an anchor for each code and type, and a remedy', () => {
    for (const [code, [, happened, mend]] of Object.entries(ERRORS)) {
      expect(bodyOf('/docs/errors')).toContain(`<h2 id="${code}">`)
      expect([happened, mend].every((text) => /^[A-Za-z].{8,}[.]$/s.test(text))).toBe(true)
    }
    for (const type of EVENT_TYPES) expect(bodyOf('/docs/events')).toContain(`>${type}</code></h2>`)
  })

  test('has a warning at the form of each operation with an effect', () => {
    for (const [name, { method, permission }] of Object.entries(OPERATIONS)) {
      const form = bodyOf('/docs').split(`aria-label="Try ${name}"`)[1]?.split('</form>')[0]
      const reads = method === 'GET' && permission !== 'issueAddresses'
      expect([name, form?.includes('This request takes effect')]).toEqual([name, !reads])
    }
  })

  test('has a section, a sample and a form for each operation', () => {
    for (const [name, { method, path }] of Object.entries(OPERATIONS)) {
      expect(bodyOf('/docs')).toContain(`<h3 id="${name}">`)
      const template = path.replaceAll(/:(\w+)/g, '{$1}')
      expect(bodyOf('/docs')).toContain(`data-method="${method}" data-path="${template}"`)
    }
    const samples = bodyOf('/docs').match(/<code>curl -sS/g) ?? []
    expect(samples).toHaveLength(Object.keys(OPERATIONS).length)
  })
})

describe('the pages', () => {
  test.each(HTML_PATHS)('%s links only to served files and existing anchors', (page) => {
    const dead = linksIn(bodyOf(page)).filter((href) => {
      const { origin, pathname, hash, protocol } = targetOf(page, href)
      if (protocol === 'data:' || origin !== 'http://sluice.example') return false
      if (!pathname.startsWith('/prefix/')) return true
      const path = pathname.slice('/prefix'.length)
      const isThere = hash === '' || bodyOf(path).includes(`id="${hash.slice(1)}"`)
      return !docsFiles().has(path) || !isThere
    })
    expect(dead).toEqual([])
  })

  test.each(HTML_PATHS)('%s has no inline code and loads no foreign files', (page) => {
    const html = bodyOf(page)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?! src=)/)
    expect([...html.matchAll(/(?:src|<link[^>]*href)="(https?:[^"]*)"/g)]).toEqual([])
    expect(html.match(/<h1/g)).toHaveLength(1)
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })
})

describe('over HTTP', () => {
  let door: Door
  beforeAll(async () => {
    door = await openDoor()
  })
  afterAll(() => door.close())
  const get = (path: string, method: 'GET' | 'HEAD' = 'GET') =>
    door.server.inject({ method, url: path })

  test.each(PATHS)('%s is public, by GET and HEAD', async (path) => {
    const { statusCode, headers, rawPayload } = await get(path)
    const { type, body = '' } = docsFiles().get(path) ?? {}
    expect([statusCode, headers['content-type']]).toEqual([200, type])
    expect(rawPayload.equals(Buffer.from(body))).toBe(true)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    const head = await get(path, 'HEAD')
    expect([head.statusCode, head.payload]).toEqual([200, ''])
  })

  test('pages may run our own script and load no foreign files', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|http|\*/)
    const other = String((await get('/openapi.json')).headers['content-security-policy'])
    expect(other).toBe("default-src 'none';frame-ancestors 'none'")
  })

  test('a trailing slash redirects to the page, also behind a prefix', async () => {
    const { statusCode, headers } = await get('/docs/')
    expect([statusCode, headers['location']]).toEqual([308, '../docs'])
  })

  test.each(['/docs/nope', '/docs/../package.json', '/docs/%2e%2e/errors', '/docs.md'])(
    '%s is not found, as any path outside of the pages',
    async (path) => {
      const { statusCode, json } = await get(path)
      expect([statusCode, json().error]).toEqual([404, 'NOT_FOUND'])
    },
  )

  test('pages count as reads of the address [S12]', async () => {
    const { clock, serviceKey } = door.deps
    const rates = { reads: 2, writes: 0, depositAddresses: 0 }
    const limited = await openDoor({ limits: openLimits({ clock, serviceKey, rates }) })
    const statuses: number[] = []
    for (const path of ['/docs', '/docs/', '/llms.txt'])
      statuses.push((await limited.server.inject({ url: path })).statusCode)
    expect(statuses).toEqual([200, 308, 429])
    await limited.close()
  })

  test('reveals no settings of the installation', () => {
    const all = [...docsFiles().values()].map(({ body }) => body).join('\n')
    for (const told of [door.a.orgId, door.a.key, process.cwd(), 'file://'])
      expect(all).not.toContain(told)
  })
})
