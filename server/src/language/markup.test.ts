import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import MarkdownIt from 'markdown-it'
import { boundTags, cleanHtml, escapedHtml, imagesFor, plainText, safeHtml, withoutRemoteImages } from './markup.ts'

/** Known attack vectors. */
const vectors = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" ONERROR="alert(1)" />',
  '<img src=`x` onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<img src=javascript:alert(1)>',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img srcset="x 1x, javascript:alert(1) 2x">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://a.example" onclick="alert(1)" style="position:fixed" target="_blank">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="https://evil.example"><input type=submit></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<base href="https://evil.example/">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<td style="text-align:left;background:url(https://evil.example)">x</td>',
  '<video><source onerror="alert(1)"></video>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<p title="x" onmouseover="alert(1)">x</p>',
  '"><script>alert(1)</script>',
  '<code class="language-x onclick evil">x</code>',
]

const markdown = [
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,x)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '[x](https://a.example "title" onmouseover="alert(1)")',
  '![x](https://a.example/x.png"onerror="alert(1))',
  '```"><script>alert(1)</script>\ncode\n```',
  '`<img src=x onerror=alert(1)>`',
]

/** Matches an active tag or attribute; text that only looks like one is escaped and has no `<`. */
function harm(html: string): string | undefined {
  const tags = html.match(/<[^>]*>/g) ?? []
  return tags.find(
    tag =>
      /^<\/?(script|style|iframe|object|embed|form|input|button|svg|math|meta|link|base|video|source|details|body|template)/i.test(
        tag,
      ) ||
      /\son\w+\s*=/i.test(tag.replace(/"[^"]*"/g, '""')) ||
      /(href|src)="\s*(javascript|data|vbscript|file|\/\/)/i.test(tag) ||
      /\b(srcdoc|srcset|formaction|target|xlink:href)=/i.test(tag.replace(/"[^"]*"/g, '""')) ||
      /url\(/i.test(tag),
  )
}

describe('HTML', () => {
  for (const vector of vectors) {
    test(`is harmless: ${vector.slice(0, 60)}`, () => {
      assert.equal(harm(cleanHtml(vector)), undefined, cleanHtml(vector))
      assert.equal(harm(safeHtml(vector)), undefined, safeHtml(vector))
      assert.equal(harm(cleanHtml(cleanHtml(vector))), undefined)
    })
  }
  test('keeps what is harmless', () => {
    const kept = '<p>a <strong>b</strong> <em>c</em></p><ul><li>d</li></ul><table><tr><td>e</td></tr></table>'
    assert.equal(cleanHtml(kept), kept)
    assert.equal(
      cleanHtml('<a href="https://a.example" target="_blank">x</a>'),
      '<a href="https://a.example" rel="noopener noreferrer nofollow">x</a>',
    )
  })
  test('of any depth is sanitised', () => {
    assert.ok(cleanHtml('<div>'.repeat(50_000)).length < 10_000)
  })
  test('with more tags than are parsed keeps its text, and no more tags reach the parser', () => {
    const tagsOf = (html: string) => html.split('<').length - 1
    for (const html of [
      '<p>word '.repeat(33_000),
      '<b>'.repeat(33_000),
      '<'.repeat(33_000),
      '<td a=1 b=2>'.repeat(33_000),
    ])
      assert.ok(tagsOf(boundTags(html).formatted) <= 2500, html.slice(0, 20))
    const shown = cleanHtml(`${'<p>word '.repeat(33_000)}<script>alert(1)</script>&lt;i&gt;`)
    assert.ok(tagsOf(shown) < 6000)
    assert.equal(shown.match(/word/g)?.length, 33_000)
    assert.equal(harm(shown), undefined)
    assert.ok(shown.endsWith('alert(1)&lt;i&gt;</pre>'))
  })
  test('with any number of entities and characters gives the parser a bounded part of them', () => {
    for (const html of ['&lt;', '&', '>', 'a < b & c ', '&#1055;', ' \n'].map(each => each.repeat(300_000))) {
      const { formatted, rest } = boundTags(html)
      assert.ok(formatted.length <= 200_000 && formatted.split('&').length <= 30_001, html.slice(0, 10))
      assert.equal(formatted + rest, html)
      assert.ok(cleanHtml(html).length < 2_500_000)
    }
    const shown = boundTags(`${'&amp;'.repeat(30_000)}<b title="&amp;">x</b>`)
    assert.equal(shown.rest, '<b title="&amp;">x</b>')
  })
  test('with a tag of any length gives the parser a bounded part of it', () => {
    assert.equal(boundTags(`<p>a</p><td ${'a=1 '.repeat(30_000)}>b`).formatted, '<p>a</p>')
    assert.equal(cleanHtml(`<p>a</p><td ${'a=1 '.repeat(30_000)}>b`), '<p>a</p><pre>b</pre>')
  })
})

describe('Markdown', () => {
  for (const vector of markdown) {
    test(`is harmless: ${vector.slice(0, 60)}`, () => assert.equal(harm(safeHtml(vector)), undefined, safeHtml(vector)))
  }
  test('becomes HTML', () => {
    assert.equal(
      safeHtml('# Hi\n\n*a* **b** `c`'),
      '<h1>Hi</h1>\n<p><em>a</em> <strong>b</strong> <code>c</code></p>\n',
    )
    assert.equal(safeHtml('a <b>b</b>'), '<p>a &lt;b&gt;b&lt;/b&gt;</p>\n')
  })
  test('with more marks than are parsed keeps its text, and no more marks reach the parser', () => {
    const render = mock.method(MarkdownIt.prototype, 'render')
    const costly = [
      '[',
      '![',
      '*[',
      '- a\n',
      '> a\n- b\n',
      '|x|y|\n',
      'a@b.co ',
      'http://a.b ',
      '# a\n',
      '[a](',
      '`',
      '&',
    ]
    try {
      for (const each of costly) {
        const html = safeHtml(each.repeat(30_000 / each.length))
        const parsed = String(render.mock.calls.at(-1)?.arguments[0])
        const count = parsed.match(/[^\w\s.:/()]|\n/g)?.length ?? 0
        const addresses = parsed.match(/@|:/g)?.length ?? 0
        assert.ok(count <= 5000 && addresses <= 1000, `${each}: ${count} ${addresses}`)
        assert.equal(harm(html), undefined)
      }
      assert.ok(safeHtml(`${'*a* b\n'.repeat(2500)}the end`).endsWith('the end</pre>'))
      const usual = `${'Some **bold** words and a [link](https://a.example).\n\n'.repeat(500)}`
      assert.ok(!safeHtml(usual).includes('<pre>**'))
    } finally {
      render.mock.restore()
    }
  })
  test('that is too long to be formatted is shown as plain text', () => {
    const html = safeHtml('*a* <script> '.repeat(10_000))
    assert.ok(html.startsWith('<pre>*a* &lt;script&gt;'))
    assert.ok(!html.includes('<script'))
  })
})

describe('plain text', () => {
  const cases: [string, string][] = [
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<br>b', 'a\nb'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['<p>a &amp; b &lt;c&gt;</p>', 'a & b <c>'],
    ['<p>&amp;lt;</p>', '&lt;'],
    ['<script>alert(1)</script>x', 'x'],
    ['<p>a\nb</p>', 'a b'],
    ['<pre>a\nb</pre>', 'a\nb'],
  ]
  for (const [html, text] of cases) test(`of ${html}`, () => assert.equal(plainText(html), text))
  test('can be shown as HTML again', () => {
    assert.equal(escapedHtml(`<a href="x">'&`), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;')
  })
})

test('images of other servers are not loaded unless the reader asks for them', () => {
  const html = safeHtml('![logo](https://tracker.example/a.png "t") ![own](/api/file/download/1) ![part](cid:1)')
  const kept = withoutRemoteImages(html)
  assert.doesNotMatch(kept, / src="https?:/)
  assert.match(kept, /<img data-src="https:\/\/tracker\.example\/a\.png" alt="logo" title="t" \/>/)
  assert.match(kept, / src="\/api\/file\/download\/1"/)
  assert.equal(
    withoutRemoteImages(cleanHtml('<IMG alt=">" SRC=HTTP://tracker.example/b.png>')).includes(' src='),
    false,
  )
  assert.equal(imagesFor({ images: 'remote' }, html), html)
  assert.equal(imagesFor({}, html), kept)
})
