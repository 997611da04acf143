import { escapeHtml } from './html.ts'

/** A page of the documentation, without its frame. */
export interface Page {
  /** `reference`, or its path below the folder of documents, without `.md`. */
  name: string
  title: string
  /** One line. */
  summary: string
  html: string
}

/** A link of the menu. */
export type Entry = Pick<Page, 'name' | 'title'>

/**
 * A complete HTML document. Its addresses are relative, so it works behind any prefix; it loads
 * only our own style and script.
 */
export function pageHtml({ title, html, name }: Page, entries: readonly Entry[]): string {
  const root = rootFrom(name)
  const isReference = name === REFERENCE
  const script = isReference ? `<script src="${root}docs/try-it.js" defer></script>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sluice</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/style.css">
${script}
</head>
<body${isReference ? ' class="reference"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header><p class="brand">Sluice</p><nav aria-label="Pages"><ul>
${entries.map((entry) => linkTo(entry, { root, isHere: entry.name === name })).join('\n')}
</ul></nav></header>
<main id="content" tabindex="-1">
${html}
</main>
</body>
</html>
`
}

/** The page at /docs. */
export const REFERENCE = 'reference'

/** The relative path from a page to the base address. */
function rootFrom(name: string): string {
  // /docs is one level below it, /docs/guides/x three.
  return name === REFERENCE ? './' : '../'.repeat(name.split('/').length)
}

function linkTo({ name, title }: Entry, { root, isHere }: { root: string; isHere: boolean }) {
  const here = isHere ? ' aria-current="page"' : ''
  return `<li><a href="${root}${pathOf(name)}"${here}>${escapeHtml(title)}</a></li>`
}

/** The path of a page, relative to the base address. */
export function pathOf(name: string): string {
  return name === REFERENCE ? 'docs' : `docs/${name}`
}
