import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inHours } from '../../language/liquid.ts'
import { chooseLocale, parse, render, TemplateFault } from './render.ts'

const scope = {
  item: { key: 'DESK-1', title: '<b>Printer</b> & co', tags: ['a', 'b'], dueDate: '2026-05-01', spentMinutes: 135 },
  requester: { name: 'Rita', email: 'rita@example.com' },
  crm: null,
  field: { 'serial-no': 'X1' },
}

const template = (body: string, more: object = {}) => ({ subject: '', body, format: 'text', locales: {}, ...more })
const text = (body: string) => render(template(body), scope).body

describe('a template', () => {
  const cases: [string, string][] = [
    ['Hello {{ requester.name }}', 'Hello Rita'],
    ['{{ requester.phone }}', ''],
    ['{{ requester.phone | default: "none" }}', 'none'],
    ['{{ crm.name }}', ''],
    ['{% if crm %}customer{% else %}nobody{% endif %}', 'nobody'],
    ['{% unless crm %}nobody{% endunless %}', 'nobody'],
    ['{% case requester.name %}{% when "Rita" %}yes{% else %}no{% endcase %}', 'yes'],
    ['{% for tag in item.tags %}[{{ tag }}]{% endfor %}', '[a][b]'],
    ['{{ item.tags | join: ", " }} {{ item.tags | size }}', 'a, b 2'],
    ['{{ requester.name | upcase }} {{ requester.name | downcase }} {{ "abcdef" | truncate: 4 }}', 'RITA rita a...'],
    ['{{ item.dueDate | date: "%d.%m.%Y" }}', '01.05.2026'],
    ['{{ item.spentMinutes | minutes }}', '2h 15m'],
    ['{{ field.serial-no }} {{ field["serial-no"] }}', 'X1 X1'],
    ['{{ item.constructor }}{{ item.__proto__ }}{{ item.tags.constructor.name }}', ''],
    ['{{ item.toString }}{{ item.hasOwnProperty }}', ''],
    ['{% comment %}nobody sees this{% endcomment %}', ''],
    ['{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
  ]
  for (const [source, written] of cases) test(`writes ${source}`, () => assert.equal(text(source), written))

  test('shows a date-time in the time zone of the reader, and a date as it is', () => {
    const at = { item: { created: '2026-01-01T23:30:00.000Z', dueDate: '2026-01-01' } }
    const source = '{{ item.created | date: "%Y-%m-%d %H:%M" }} {{ item.dueDate | date: "%Y-%m-%d" }}'
    assert.equal(render(template(source), at, { timezone: 'Asia/Tokyo' }).body, '2026-01-02 08:30 2026-01-01')
  })

  test('escapes values in HTML exactly once', () => {
    const { html, text: plain } = render(
      template('<p>{{ item.title }} {{ item.title | escape }}</p><script>x</script>', { format: 'html' }),
      scope,
    )
    assert.equal(html, '<p>&lt;b&gt;Printer&lt;/b&gt; &amp; co &lt;b&gt;Printer&lt;/b&gt; &amp; co</p>')
    assert.equal(plain, '<b>Printer</b> & co <b>Printer</b> & co')
  })

  test('converts Markdown to HTML and to text', () => {
    const written = render(template('**{{ requester.name }}** {{ item.title }}', { format: 'markdown' }), scope)
    assert.equal(written.html, '<p><strong>Rita</strong> &lt;b&gt;Printer&lt;/b&gt; &amp; co</p>\n')
    assert.equal(written.text, 'Rita <b>Printer</b> & co')
  })

  test('has a subject of one line', () => {
    const subject = '{{ item.key }}\r\nBcc: {{ x }}\u0000'
    assert.equal(render(template('', { subject }), { item: { key: 'A\r\nTo: all' } }).subject, 'A To: all Bcc:')
  })

  test('reports the variables without a value', () => {
    const source =
      '{{ requester.phone }} {{ requester.name }} {{ crm.name }} {% for a in item.parts %}{{ a.b }}{% endfor %}'
    assert.deepEqual(render(template(source), scope).missing, ['crm.name', 'item.parts', 'requester.phone'])
  })

  test('lists the variables that it uses', () => {
    assert.deepEqual(parse('{{ item.title }}{% if user.name %}{{ item.tags[0] }}{% endif %}', 'plain').variables, [
      'item.tags.0',
      'item.title',
      'user.name',
    ])
  })
})

describe('an invalid template', () => {
  const cases: [string, RegExp, number, number][] = [
    ['a\n{{ b', /not closed/, 2, 1],
    ['{% if a %}', /not closed/, 1, 1],
    ['a\nb {{ a | frobnicate }}', /undefined filter/, 2, 3],
    ['{{ a | raw }}', /undefined filter/, 1, 1],
    ['{% include "x" %}', /"include" not found/, 1, 1],
    ['{% render "x" %}', /"render" not found/, 1, 1],
    ['{% layout "x" %}', /"layout" not found/, 1, 1],
    ['{% assign a = 1 %}', /"assign" not found/, 1, 1],
    ['{% capture a %}{% endcapture %}', /"capture" not found/, 1, 1],
    ['{% liquid echo "x" %}', /"liquid" not found/, 1, 1],
    ['{% tablerow a in b %}{% endtablerow %}', /"tablerow" not found/, 1, 1],
    ['{% frob %}', /not found/, 1, 1],
    ['x'.repeat(200_001), /longer/, 1, 1],
    ['{% if true %}'.repeat(5000) + '{% endif %}'.repeat(5000), /nests too deep/, 1, 1],
  ]
  for (const [source, says, line, column] of cases) {
    test(`is refused with line and column: ${source.slice(0, 40).replace('\n', ' ')}`, () => {
      assert.throws(
        () => parse(source, 'plain'),
        (error: unknown) => {
          assert.ok(error instanceof TemplateFault)
          assert.match(error.message, says)
          if (!/deep/.test(error.message)) assert.deepEqual([error.line, error.column], [line, column])
          return true
        },
      )
    })
  }

  const endless = [
    `{% for a in (1..20000) %}${'x'.repeat(90_000)}{% endfor %}`,
    '{% for a in (1..20000) %}{{ item.title }}{{ item.title }}{{ long }}{% endfor %}',
    '{% for a in (1..1000000000) %}{% endfor %}',
    '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}',
    '{% for a in (1..9000) %}{% for b in (1..9000) %}{{ item.title }}{% endfor %}{% endfor %}',
    '{{ "2026-01-01" | date: "%999999999Y" }}',
    '{{ item.tags | join: long }}{{ item.tags | join: long }}{{ item.tags | join: long }}',
  ]
  for (const source of endless) {
    test(`does not run forever: ${source.slice(0, 60)}`, () => {
      assert.throws(() => render(template(source), { ...scope, long: 'x'.repeat(900_000) }), TemplateFault)
    })
  }
})

describe('the choice of a language', () => {
  const cases: [string[], string[], string][] = [
    [['de', 'fr'], ['fr'], 'fr'],
    [['de', 'fr'], ['de-AT'], 'de'],
    [['de-AT', 'de'], ['de-at'], 'de-AT'],
    [['de'], ['it', 'de'], 'de'],
    [['de'], ['it', ''], ''],
    [['pt_BR'], ['pt-BR'], 'pt_BR'],
    [[], ['de'], ''],
    [['de'], [], ''],
  ]
  for (const [offered, languages, chosen] of cases)
    test(`of ${offered} for ${languages}`, () => assert.equal(chooseLocale(offered, languages), chosen))

  test('uses the template itself for texts that a variant lacks', () => {
    const locales = { de: { body: 'Hallo' } }
    const { subject, body, locale } = render(template('Hello', { subject: 'Re', locales }), {}, { languages: ['de'] })
    assert.deepEqual([subject, body, locale], ['Re', 'Hallo', 'de'])
  })
})

describe('minutes', () => {
  const cases: [unknown, string][] = [
    [0, '0m'],
    [59, '59m'],
    [60, '1h'],
    [135, '2h 15m'],
    ['90', '1h 30m'],
    [-30, '-30m'],
    [null, ''],
    ['x', ''],
  ]
  for (const [given, shown] of cases) test(`${given} → ${shown}`, () => assert.equal(inHours(given), shown))
})
