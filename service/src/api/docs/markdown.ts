import { Marked, type RendererObject, type Tokens } from 'marked'
import { anchorOf, escapeHtml } from './html.ts'

/** The address of a link's target on the served pages; null if it is not served. */
export type LinkOf = (target: string) => string | null

/** The HTML of a Markdown page (CommonMark with tables). HTML in the page is shown as text. */
export function toHtml(markdown: string, linkOf: LinkOf): string {
  return rendererFor(linkOf).parse(markdown, { async: false }).trimEnd()
}

/** The HTML of one paragraph without its tag. */
export function inline(text: string, linkOf: LinkOf): string {
  return rendererFor(linkOf).parseInline(text, { async: false })
}

function rendererFor(linkOf: LinkOf): Marked {
  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      const html = this.parser.parseInline(tokens)
      return `<h${depth} id="${escapeHtml(anchorOf(text))}">${html}</h${depth}>\n`
    },
    // Wide blocks scroll, so the keyboard must reach them.
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table({ header, rows }) {
      const row = (cells: Tokens.TableCell[], tag: string) => {
        const [name = ''] = tag.split(' ')
        const html = cells.map(
          ({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${name}>`,
        )
        return `<tr>${html.join('')}</tr>`
      }
      const body = rows.map((cells) => row(cells, 'td')).join('\n')
      const head = row(header, 'th scope="col"')
      const table = `<table><thead>${head}</thead><tbody>${body}</tbody></table>`
      return `<div class="wide" tabindex="0">${table}</div>\n`
    },
    html: ({ text }) => escapeHtml(text),
    image({ href, text }) {
      const source = linkOf(href)
      const alt = escapeHtml(text)
      return source === null ? alt : `<img src="${escapeHtml(source)}" alt="${alt}">`
    },
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens)
      const target = /^https?:\/\//.test(href) ? href : linkOf(href)
      return target === null ? label : `<a href="${escapeHtml(target)}">${label}</a>`
    },
  }
  return new Marked({ renderer })
}
