import { describe, expect, test } from 'vitest'
import { readPages } from './files.ts'
import { inline, toHtml } from './markdown.ts'

const html = (markdown: string) => toHtml(markdown, (target) => `to:${target}`)

describe('a page in Markdown', () => {
  test.each([
    ['# A `b`', '<h1 id="a-b">A <code>b</code></h1>'],
    ['## BAD_REQUEST', '<h2 id="BAD_REQUEST">BAD_REQUEST</h2>'],
    ['[a `b`](c.md#d)', '<p><a href="to:c.md#d">a <code>b</code></a></p>'],
    ['<https://a.example>', '<p><a href="https://a.example">https://a.example</a></p>'],
    ['```sh\na <b>\n\n# c\n```', '<pre tabindex="0"><code>a &lt;b&gt;\n\n# c</code></pre>'],
  ])('renders %j', (markdown, expected) => {
    expect(html(markdown)).toBe(expected)
  })

  test('renders a table that scrolls, with column headers', () => {
    expect(html('| a | b |\n|---|---|\n| `x` | z\\|w |')).toBe(
      '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">a</th>' +
        '<th scope="col">b</th></tr></thead><tbody><tr><td><code>x</code></td>' +
        '<td>z|w</td></tr></tbody></table></div>',
    )
  })

  test('shows a picture with its alternative text', () => {
    const picture = '<img src="to:c.png" alt="a &quot;b&quot; &lt;c&gt;">'
    expect(html('![a "b" <c>](c.png)')).toBe(`<p>${picture}</p>`)
  })

  test('shows HTML as text, and only the label of a link to an unserved file', () => {
    expect(html('<script>a</script>')).toBe('&lt;script&gt;a&lt;/script&gt;')
    expect(html('a <b onclick=x> & "c"')).toBe('<p>a &lt;b onclick=x&gt; &amp; &quot;c&quot;</p>')
    expect(toHtml('[a](b)', () => null)).toBe('<p>a</p>')
    expect(html('[a](x"onclick=y)')).toBe('<p><a href="to:x&quot;onclick=y">a</a></p>')
    expect(html('[a](javascript:x)')).toBe('<p><a href="to:javascript:x">a</a></p>')
    expect(toHtml('![a<b](c.png)', () => null)).toBe('<p>a&lt;b</p>')
    expect(inline('`a` *b*', () => null)).toBe('<code>a</code> <em>b</em>')
  })

  test('leaves no Markdown syntax in any page of the documentation', () => {
    const left = readPages().flatMap(({ name, html: page }) => {
      const text = page.replaceAll(/<pre[^>]*>.*?<\/pre>|<code>.*?<\/code>/gs, '')
      const marks = /\*\*|`|^\s*[-*] |^#|\]\(|^\|/m.exec(text)
      return marks === null ? [] : [`${name}: ${text.slice(marks.index, marks.index + 60)}`]
    })
    expect(left).toEqual([])
  })
})
