import { readdirSync, readFileSync } from 'node:fs'
import { openApiDocument } from '../openapi/openapi.ts'
import { pagesLead } from './links.ts'
import { toHtml } from './markdown.ts'
import { type Page, pageHtml, pathOf } from './page.ts'
import { referencePage } from './reference.ts'

/** A file that is served unchanged. */
export interface Served {
  type: string
  body: string | Buffer
}

const DOCS = new URL('../../../../docs/', import.meta.url)
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const PNG = 'image/png'

/** Pages in the menu, in its order; they link to all others. */
const MENU = [
  'README',
  'quickstart',
  'concepts',
  'reference',
  'errors',
  'events',
  'sandbox',
  'configuration',
  'operations',
  'metrics',
  'security',
]

let read: ReadonlyMap<string, Served> | null = null

/** All files of the documentation, by path. They are read once and are the same everywhere. */
export function docsFiles(): ReadonlyMap<string, Served> {
  return (read ??= new Map(readFiles()))
}

function readFiles(): [path: string, served: Served][] {
  const document = openApiDocument()
  const sources = readPages()
  const pages = [referencePage(document), ...sources]
  const entries = MENU.flatMap((name) => pages.filter((page) => page.name === name))
  const html = pages.map((page): [string, Served] => [
    `/${pathOf(page.name)}`,
    { type: HTML, body: pageHtml(page, entries) },
  ])
  const twins = sources.map((page): [string, Served] => [
    `/${pathOf(page.name)}.md`,
    { type: MARKDOWN, body: page.markdown },
  ])
  return [
    ...html,
    ...twins,
    ...readPaths()
      .filter(isPicture)
      .map((path): [string, Served] => [
        `/docs/${path}`,
        { type: PNG, body: readFileSync(new URL(path, DOCS)) },
      ]),
    ['/openapi.json', { type: JSON_TYPE, body: JSON.stringify(document) }],
    ['/llms.txt', { type: PLAIN, body: readFileSync(new URL('llms.txt', DOCS), 'utf8') }],
    ['/docs/style.css', asset('style.css', 'text/css; charset=utf-8')],
    ['/docs/try-it.js', asset('try-it.js', 'text/javascript; charset=utf-8')],
  ]
}

const JSON_TYPE = 'application/json; charset=utf-8'

function asset(name: string, type: string): Served {
  return { type, body: readFileSync(new URL(name, import.meta.url), 'utf8') }
}

export interface MarkdownPage extends Page {
  markdown: string
}

/** Every page of the folder `docs`, sorted by path. */
export function readPages(): MarkdownPage[] {
  const paths = readPaths()
  return paths.filter(isPage).map((path) => {
    const name = path.slice(0, -'.md'.length)
    const markdown = readFileSync(new URL(path, DOCS), 'utf8')
    const title = /^#\s+(.+)$/m.exec(markdown)?.[1] ?? name
    const html = toHtml(markdown, pagesLead(name, paths))
    return { name, title, summary: summaryOf(markdown), markdown, html }
  })
}

/** The paths of the served files of the folder `docs`: pages in Markdown and pictures. */
function readPaths(): string[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isPage(path) || isPicture(path))
    .toSorted()
}

function isPage(path: string): boolean {
  return path.endsWith('.md')
}

function isPicture(path: string): boolean {
  return path.endsWith('.png')
}

/** The first sentence below the title; the section titles if there is no sentence. */
function summaryOf(markdown: string): string {
  const sentence = firstSentence(markdown)
  if (sentence !== '') return sentence
  const parts = [...markdown.matchAll(/^##\s+(.+)$/gm)].map(([, part]) => part ?? '')
  return `${parts.join('; ')}.`
}

function firstSentence(markdown: string): string {
  const [, first = ''] = /^#\s.+\n+(?!#)([^\n](?:.|\n(?!\n))*)/m.exec(markdown) ?? []
  const plain = first
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .trim()
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
