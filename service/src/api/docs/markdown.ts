import { anchorOf, escapeHtml } from './html.ts'

/** Where a link of a page leads on the served pages; null where that is not served. */
export type LinkOf = (target: string) => string | null

const FENCE = /^```(\S*)/
const HEADING = /^(#{1,6})\s+(.*)$/
const ITEM = /^(\s*)([-*]|\d+\.)\s+/
const RULER = /^\|[\s:|-]+\|$/
const INLINE = new RegExp(
  [
    /`([^`]+)`/,
    /\[((?:[^[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/,
    /<(https?:[^>\s]+)>/,
    /\*\*(.+?)\*\*/,
    /\*([^*\s][^*]*)\*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/**
 * The Markdown of our own pages as HTML: headings, paragraphs, lists, tables, code, quotes, links
 * and emphasis. Whatever else stands there is text, HTML too.
 */
export function toHtml(markdown: string, linkOf: LinkOf): string {
  return blocks(markdown.replaceAll('\r', '').split('\n'), linkOf).join('\n')
}

function blocks(lines: readonly string[], linkOf: LinkOf): string[] {
  const out: string[] = []
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, linkOf)
    if (block.html !== '') out.push(block.html)
    at = block.next
  }
  return out
}

interface Block {
  html: string
  next: number
}

function blockAt(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { html: '', next: at + 1 }
  if (FENCE.test(line)) return fenced(lines, at)
  if (HEADING.test(line)) return { html: heading(line, linkOf), next: at + 1 }
  if (RULER.test(lines[at + 1] ?? '') && line.startsWith('|')) return table(lines, at, linkOf)
  if (ITEM.test(line)) return list(lines, at, linkOf)
  if (line.startsWith('>')) return quote(lines, at, linkOf)
  return paragraph(lines, at, linkOf)
}

function fenced(lines: readonly string[], at: number): Block {
  const end = lines.findIndex((line, index) => index > at && line.startsWith('```'))
  const last = end === -1 ? lines.length : end
  const code = escapeHtml(lines.slice(at + 1, last).join('\n'))
  return { html: `<pre tabindex="0"><code>${code}</code></pre>`, next: last + 1 }
}

function heading(line: string, linkOf: LinkOf): string {
  const [, marks = '#', text = ''] = HEADING.exec(line) ?? []
  const level = marks.length
  return `<h${level} id="${escapeHtml(anchorOf(text))}">${inline(text, linkOf)}</h${level}>`
}

function table(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'))
  const next = end === -1 ? lines.length : end
  const row = (line: string, cell: 'th' | 'td') => {
    const scope = cell === 'th' ? ' scope="col"' : ''
    const cells = cellsOf(line).map((text) => `<${cell}${scope}>${inline(text, linkOf)}</${cell}>`)
    return `<tr>${cells.join('')}</tr>`
  }
  const body = lines.slice(at + 2, next).map((line) => row(line, 'td'))
  const head = row(lines[at] ?? '', 'th')
  const html = `<table><thead>${head}</thead><tbody>${body.join('\n')}</tbody></table>`
  return { html: `<div class="wide" tabindex="0">${html}</div>`, next }
}

/** A bar in code or behind a backslash divides nothing. */
function cellsOf(line: string): string[] {
  const inside = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  const cells = inside.match(/(?:`[^`]*`|\\\||[^|])+/g) ?? []
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function list(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const [, indent = '', mark = '-'] = ITEM.exec(lines[at] ?? '') ?? []
  const items: string[][] = []
  let next = at
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? ''
    const match = ITEM.exec(line)
    const isItem = match !== null && match[1] === indent
    if (isItem) items.push([line.slice(match[0].length)])
    else if (continues(lines, next, indent)) items.at(-1)?.push(dedent(line, indent))
    else break
  }
  const name = /\d/.test(mark) ? 'ol' : 'ul'
  const html = items.map((item) => `<li>${itemHtml(item, linkOf)}</li>`).join('\n')
  return { html: `<${name}>\n${html}\n</${name}>`, next }
}

/** A line goes on with an item where it is set in; a blank one where the next is. */
function continues(lines: readonly string[], at: number, indent: string): boolean {
  const line = lines[at] ?? ''
  const isSetIn = (text: string) => text.startsWith(`${indent}  `) && text.trim() !== ''
  if (line.trim() !== '') return isSetIn(line)
  const following = lines.slice(at + 1).find((one) => one.trim() !== '') ?? ''
  return isSetIn(following) || ITEM.exec(following)?.[1] === indent
}

function dedent(line: string, indent: string): string {
  return line.slice(indent.length).replace(/^ {1,3}/, '')
}

function itemHtml(lines: readonly string[], linkOf: LinkOf): string {
  const html = blocks(lines, linkOf)
  const [first = '', ...rest] = html
  return [first.replace(/^<p>(.*)<\/p>$/s, '$1'), ...rest].join('\n')
}

function quote(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('>'))
  const next = end === -1 ? lines.length : end
  const inside = lines.slice(at, next).map((line) => line.replace(/^>\s?/, ''))
  return { html: `<blockquote>${blocks(inside, linkOf).join('\n')}</blockquote>`, next }
}

function paragraph(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const end = lines.findIndex(
    (line, index) => index > at && (line.trim() === '' || FENCE.test(line) || ITEM.test(line)),
  )
  const next = end === -1 ? lines.length : end
  const text = lines.slice(at, next).join('\n')
  return { html: `<p>${inline(text, linkOf)}</p>`, next }
}

/** Code, links and emphasis of a text that is one block. */
export function inline(text: string, linkOf: LinkOf): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, code, label, target, address, strong, soft] = match
    html += escapeHtml(text.slice(from, match.index))
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    if (label !== undefined) html += anchor(inline(label, linkOf), target ?? '', linkOf)
    if (address !== undefined) html += anchor(escapeHtml(address), address, linkOf)
    if (strong !== undefined) html += `<strong>${inline(strong, linkOf)}</strong>`
    if (soft !== undefined) html += `<em>${inline(soft, linkOf)}</em>`
    from = match.index + all.length
  }
  return html + escapeHtml(text.slice(from))
}

function anchor(label: string, target: string, linkOf: LinkOf): string {
  const isOutside = /^https?:\/\//.test(target)
  const href = isOutside ? target : linkOf(target)
  return href === null ? label : `<a href="${escapeHtml(href)}">${label}</a>`
}
