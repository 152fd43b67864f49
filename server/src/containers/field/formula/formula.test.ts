import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { raw } from '../../../kernel/sql.ts'
import { type Node, parseFormula } from '../../../language/formula/parse.ts'
import { FormulaFault, fieldsNamedBy, termOf } from './formula.ts'

/** A tree as text with all brackets, which shows the operator precedence. */
function bracketed(node: Node): string {
  switch (node.kind) {
    case 'number':
      return node.text
    case 'text':
      return JSON.stringify(node.text)
    case 'truth':
      return String(node.truth)
    case 'path':
      return node.path
    case 'negative':
      return `(-${bracketed(node.of)})`
    case 'not':
      return `(not ${bracketed(node.of)})`
    case 'binary':
      return `(${bracketed(node.left)} ${node.operator} ${bracketed(node.right)})`
    case 'call':
      return `${node.name}(${node.given.map(bracketed).join(', ')})`
  }
}

const readings: [formula: string, tree: string][] = [
  ['1', '1'],
  ['1.50', '1.50'],
  ['"a b"', '"a b"'],
  ["'it\"s'", '"it\\"s"'],
  ['1 + 2 * 3', '(1 + (2 * 3))'],
  ['1 * 2 + 3', '((1 * 2) + 3)'],
  ['5 - 3 - 1', '((5 - 3) - 1)'],
  ['8 / 4 / 2', '((8 / 4) / 2)'],
  ['(1 + 2) * 3', '((1 + 2) * 3)'],
  ['-1 + 2', '((-1) + 2)'],
  ['-points * 2', '((-points) * 2)'],
  ['2 * -points', '(2 * (-points))'],
  ['--1', '(-(-1))'],
  ['1 < 2 and 3 >= 2 or false', '(((1 < 2) and (3 >= 2)) or false)'],
  ['a or b and c', '(a or (b and c))'],
  ['not a and b', '((not a) and b)'],
  ['not a = b', '(not (a = b))'],
  ['1 == 2', '(1 = 2)'],
  ['1 <> 2', '(1 != 2)'],
  ['field.a * 2 + points', '((field.a * 2) + points)'],
  ['field.a-b', 'field.a-b'],
  ['field.a - b', '(field.a - b)'],
  ['points-1', '(points - 1)'],
  ['field.0199c0de-0000-7000-8000-00000000abcd + 1', '(field.0199c0de-0000-7000-8000-00000000abcd + 1)'],
  ['IF(true, 1, 2)', 'if(true, 1, 2)'],
  ['min(1, max(2, 3))', 'min(1, max(2, 3))'],
  ['  round ( 1.5 )  ', 'round(1.5)'],
]

const unreadable: [formula: string, at: number][] = [
  ['', 1],
  ['   ', 4],
  ['1 +', 4],
  ['1 + + 2', 5],
  ['* 2', 1],
  ['(1 + 2', 7],
  ['1 + 2)', 6],
  ['1 2', 3],
  ['min(1,', 7],
  ['min(1 2)', 7],
  ['min(,1)', 5],
  ['"open', 1],
  ['1 # 2', 3],
  ['a and', 6],
  ['and', 1],
  ['12345678901234567', 1],
  ['1 = = 2', 5],
]

describe('a formula', () => {
  for (const [formula, tree] of readings)
    test(`${formula} is parsed as ${tree}`, () => assert.equal(bracketed(parseFormula(formula)), tree))

  for (const [formula, at] of unreadable)
    test(`${JSON.stringify(formula)} has a syntax error at ${at}`, () => {
      assert.throws(
        () => parseFormula(formula),
        error => error instanceof FormulaFault && error.at === at,
      )
    })

  test('is parsed to the same tree after it was printed', () => {
    const { formula } = fc.letrec<{ formula: string }>(again => ({
      formula: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('1', '2.5', 'points', 'field.a', '"x"', 'true'),
        fc
          .tuple(
            again('formula'),
            fc.constantFrom('+', '-', '*', '/', '%', '=', '<', '>=', 'and', 'or'),
            again('formula'),
          )
          .map(parts => parts.join(' ')),
        again('formula').map(inner => `(${inner})`),
        again('formula').map(inner => `not (${inner})`),
        again('formula').map(inner => `-(${inner})`),
        fc.tuple(again('formula'), again('formula')).map(given => `max(${given.join(', ')})`),
      ),
    }))
    fc.assert(
      fc.property(formula, text => {
        let tree: Node
        try {
          tree = parseFormula(text)
        } catch (error) {
          return error instanceof FormulaFault // too large, too deep
        }
        return bracketed(parseFormula(bracketed(tree))) === bracketed(tree)
      }),
    )
  })

  test('is parsed or refused, whatever text it is, without another error', () => {
    const word = fc.constantFrom(
      ...'0123456789.+-*/%=<>!()," \'abfield_\n',
      'if(',
      'field.',
      'and ',
      'not ',
      'é',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), words => {
        try {
          parseFormula(words.join(''))
        } catch (error) {
          assert.ok(error instanceof FormulaFault)
          assert.ok(error.at >= 1 && error.at <= words.join('').length + 1)
        }
      }),
    )
  })

  test('that is too large or too deep is refused', () => {
    assert.throws(() => parseFormula('('.repeat(100) + 1 + ')'.repeat(100)), FormulaFault)
    assert.throws(() => parseFormula(`1${' + 1'.repeat(150)}`), /more than 200 parts/)
    assert.throws(() => parseFormula('-'.repeat(1000) + 1), FormulaFault)
  })
})

const plain = { options: [], multiple: false, formula: '', rollup: {} }
const fields = [
  { ...plain, id: 'n', key: 'size', fieldType: 'number' },
  { ...plain, id: 'm', key: 'price', fieldType: 'money' },
  { ...plain, id: 't', key: 'note', fieldType: 'text' },
  { ...plain, id: 'd', key: 'start', fieldType: 'date' },
  { ...plain, id: 'b', key: 'paid', fieldType: 'boolean' },
  { ...plain, id: 'u', key: 'owner', fieldType: 'user' },
  { ...plain, id: 's', key: 'many', fieldType: 'url', multiple: true },
]

const kindOf = (formula: string, more: typeof fields = []) => {
  const field = { ...plain, id: 'x', key: 'x', fieldType: 'formula', formula }
  return termOf(field, { fields: [...fields, ...more, field], children: raw('true') }).kind
}

describe('the kind of a formula', () => {
  const kinds: [formula: string, kind: string][] = [
    ['field.size * 2 + points', 'number'],
    ['field.PRICE / 3', 'number'],
    ['field.size > 3', 'truth'],
    ['field.paid and not field.size = 1', 'truth'],
    ['if(field.paid, "yes", field.note)', 'text'],
    ['concat(title, " ", field.size, field.start, field.paid)', 'text'],
    ['field.start + 7', 'date'],
    ['dueDate - startDate', 'number'],
    ['days(created, today)', 'number'],
    ['max(dueDate, date("2026-01-31"))', 'date'],
    ['coalesce(field.size, 0)', 'number'],
    ['empty(field.note)', 'truth'],
    ['round(spentMinutes / 60, 1)', 'number'],
    ['abs(-1) + length(title)', 'number'],
  ]
  for (const [formula, kind] of kinds) test(`${formula} is a ${kind}`, () => assert.equal(kindOf(formula), kind))

  const wrong: [formula: string, at: number, why: RegExp][] = [
    ['1 + "a"', 5, /must be a number/],
    ['field.note * 2', 1, /must be a number/],
    ['2 * field.note', 5, /must be a number/],
    ['field.size = "a"', 12, /cannot be compared/],
    ['if(1, 2, 3)', 4, /must be a truth/],
    ['if(true, 2, "a")', 13, /is a text/],
    ['if(true, 1)', 1, /takes 3/],
    ['field.nothing', 1, /there is no/],
    ['field.owner', 1, /there is no/],
    ['field.many', 1, /there is no/],
    ['requester.email', 1, /there is no/],
    ['nothing(1)', 1, /there is no nothing; there are if/],
    ['constructor(1)', 1, /there is no/],
    ['days(1, 2)', 6, /must be a date/],
    ['date("2026-02-30")', 6, /must be a date/],
    ['round(1, points)', 10, /digit/],
    ['min(1, "a")', 8, /is a text/],
    ['max(true)', 1, /no order/],
    ['-"a"', 2, /must be a number/],
    ['field.start + field.start', 15, /must be a number/],
  ]
  for (const [formula, at, why] of wrong)
    test(`${formula} is refused at ${at}`, () => {
      assert.throws(
        () => kindOf(formula),
        error => error instanceof FormulaFault && error.at === at && why.test(error.message),
      )
    })

  test('that refers to itself is refused, also through two others', () => {
    assert.throws(() => kindOf('field.x + 1'), /circle: x → x/)
    const others = [
      { ...plain, id: 'y', key: 'y', fieldType: 'formula', formula: 'field.z + 1' },
      { ...plain, id: 'z', key: 'z', fieldType: 'rollup', rollup: { source: 'children', field: 'x', function: 'sum' } },
    ]
    assert.throws(() => kindOf('field.y * 2', others), /circle: x → y → z → x/)
  })

  test('that grows exponentially with the formulas it uses is refused quickly', () => {
    const tower = Array.from({ length: 9 }, (_, n) => ({
      ...plain,
      id: `f${n}`,
      key: `f${n}`,
      fieldType: 'formula',
      formula: n === 0 ? '1' : `field.f${n - 1}${` + field.f${n - 1}`.repeat(9)}`,
    }))
    assert.throws(() => kindOf('field.f8', tower), /more than 1000 parts/)
  })

  test('lists the fields that it uses', () => {
    const of = (formula: string) =>
      fieldsNamedBy({ ...plain, id: 'x', key: 'x', fieldType: 'formula', formula }, fields)
    assert.deepEqual(of('field.Size + field.price * points'), ['n', 'm'])
    assert.deepEqual(of('field.gone +'), [])
  })
})
