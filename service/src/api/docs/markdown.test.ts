import { describe, expect, test } from 'vitest'
import { readPages } from './files.ts'
import { toHtml } from './markdown.ts'

const html = (markdown: string) => toHtml(markdown, (target) => `to:${target}`)

describe('a page written as Markdown', () => {
  test.each([
    ['# A `b`', '<h1 id="a-b">A <code>b</code></h1>'],
    ['## BAD_REQUEST', '<h2 id="BAD_REQUEST">BAD_REQUEST</h2>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
    ['**a** and *b* and `c*d*`', '<p><strong>a</strong> and <em>b</em> and <code>c*d*</code></p>'],
    ['[a `b`](c.md#d)', '<p><a href="to:c.md#d">a <code>b</code></a></p>'],
    ['<https://a.example>', '<p><a href="https://a.example">https://a.example</a></p>'],
    ['- a\n- b\n  c', '<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>'],
    ['1. a\n\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['- a\n  - b', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>'],
    ['> a\n> b', '<blockquote><p>a\nb</p></blockquote>'],
    ['```sh\na <b>\n\n# c\n```', '<pre tabindex="0"><code>a &lt;b&gt;\n\n# c</code></pre>'],
  ])('%j', (markdown, expected) => {
    expect(html(markdown)).toBe(expected)
  })

  test('a bar in code divides no cells', () => {
    expect(html('| a | b |\n|---|---|\n| `x|y` | z\\|w |')).toContain(
      '<tr><td><code>x|y</code></td><td>z|w</td></tr>',
    )
  })

  test('HTML in it is text, and a link to nowhere is words', () => {
    expect(html('<script>a</script> & "b"')).toBe(
      '<p>&lt;script&gt;a&lt;/script&gt; &amp; &quot;b&quot;</p>',
    )
    expect(toHtml('[a](b)', () => null)).toBe('<p>a</p>')
    expect(html('[a](x"onclick=y)')).toBe('<p><a href="to:x&quot;onclick=y">a</a></p>')
  })

  test('no page of ours has marks left over', () => {
    const left = readPages().flatMap(({ name, html: page }) => {
      const text = page.replaceAll(/<pre[^>]*>.*?<\/pre>|<code>.*?<\/code>/gs, '')
      const marks = /\*\*|`|^\s*[-*] |^#|\]\(|^\|/m.exec(text)
      return marks === null ? [] : [`${name}: ${text.slice(marks.index, marks.index + 60)}`]
    })
    expect(left).toEqual([])
  })
})
