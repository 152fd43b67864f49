import { own } from '../../kernel/own.ts'

// Formulas are parsed by a Pratt parser; the table gives the precedence of each operator.

/** The syntax tree of a formula; `at` is the position of each part in the text, counted from 1. */
export type Node = { at: number } & (
  | { kind: 'number'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'truth'; truth: boolean }
  | { kind: 'path'; path: string }
  | { kind: 'negative' | 'not'; of: Node }
  | { kind: 'binary'; operator: FormulaOperator; left: Node; right: Node }
  | { kind: 'call'; name: string; given: Node[] }
)

export type FormulaOperator = '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>=' | 'and' | 'or'

/** What is wrong with a formula, and its position. */
export class FormulaFault extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const strength: Readonly<Record<FormulaOperator, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
const notStrength = 3
const negativeStrength = 7

const maxParts = 200
const deepest = 40

export function parseFormula(text: string): Node {
  const tokens = tokensOf(text)
  let next = 0
  let parts = 0

  const peek = () => tokens[next]
  const take = (): Token => {
    const token = tokens[next++]
    if (!token) throw new FormulaFault(text.length + 1, 'ends too early')
    return token
  }
  const expect = (sign: string) => {
    const token = take()
    if (token.kind !== 'sign' || token.text !== sign) throw new FormulaFault(token.at, `expected ${sign}`)
  }

  function expression(least: number, depth: number): Node {
    if (depth > deepest) throw new FormulaFault(peek()?.at ?? text.length + 1, `nests more than ${deepest} deep`)
    let left = operand(depth)
    for (;;) {
      const operator = operatorOf(peek())
      if (!operator || strength[operator] < least) return left
      const { at } = take()
      // Equal precedence ends the right side, so that 5 - 3 - 1 is 1.
      left = part({ kind: 'binary', at, operator, left, right: expression(strength[operator] + 1, depth + 1) })
    }
  }

  function operand(depth: number): Node {
    const { kind, text: word, at } = take()
    if (kind === 'number') return part({ kind, text: word, at })
    if (kind === 'text') return part({ kind, text: word, at })
    if (kind === 'word') return named(word, at, depth)
    if (word === '-') return part({ kind: 'negative', at, of: expression(negativeStrength, depth + 1) })
    if (word !== '(') throw new FormulaFault(at, `${word} is not allowed here`)
    const inner = expression(0, depth + 1)
    expect(')')
    return inner
  }

  function named(word: string, at: number, depth: number): Node {
    const lower = word.toLowerCase()
    if (lower === 'true' || lower === 'false') return part({ kind: 'truth', truth: lower === 'true', at })
    if (lower === 'not') return part({ kind: 'not', at, of: expression(notStrength, depth + 1) })
    if (lower === 'and' || lower === 'or') throw new FormulaFault(at, `${word} is not allowed here`)
    const opening = peek()
    if (opening?.kind !== 'sign' || opening.text !== '(') return part({ kind: 'path', path: word, at })
    take()
    const given: Node[] = []
    while (!(peek()?.kind === 'sign' && peek()?.text === ')')) {
      if (given.length > 0) expect(',')
      given.push(expression(0, depth + 1))
    }
    take()
    return part({ kind: 'call', name: lower, given, at })
  }

  function part(node: Node): Node {
    if (++parts > maxParts) throw new FormulaFault(node.at, `has more than ${maxParts} parts`)
    return node
  }

  const whole = expression(0, 0)
  const rest = peek()
  if (rest) throw new FormulaFault(rest.at, `${rest.text} is not allowed here`)
  return whole
}

interface Token {
  kind: 'number' | 'text' | 'word' | 'sign'
  text: string
  at: number
}

// The key of a field may contain a -, so a minus after a field needs a blank before it.
const token =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>field\.[A-Za-z0-9][\w-]*|[A-Za-z_]\w*(?:\.\w+)*)|(?<sign>==|!=|<>|<=|>=|[-+*/%=<>(),]))/iy

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  for (let from = 0; from < end; ) {
    token.lastIndex = from
    const found = token.exec(text)
    const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0) + 1
    if (!found?.groups) throw new FormulaFault(at, `${text[at - 1]} cannot be read`)
    const { number, double, single, word, sign } = found.groups
    from = token.lastIndex
    if (number !== undefined) {
      if (number.length > 16) throw new FormulaFault(at, 'has more than 16 digits')
      tokens.push({ kind: 'number', text: number, at })
    } else if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
    else tokens.push({ kind: 'text', text: double ?? single ?? '', at })
  }
  return tokens
}

const spellings: Readonly<Record<string, FormulaOperator>> = { '==': '=', '<>': '!=' }

function operatorOf(token: Token | undefined): FormulaOperator | undefined {
  if (token?.kind !== 'sign' && token?.kind !== 'word') return undefined
  const word = own(spellings, token.text) ?? token.text.toLowerCase()
  return Object.hasOwn(strength, word) ? (word as FormulaOperator) : undefined
}

/** Lists every path that the formula names. */
export function pathsIn(node: Node): string[] {
  switch (node.kind) {
    case 'path':
      return [node.path]
    case 'negative':
    case 'not':
      return pathsIn(node.of)
    case 'binary':
      return [...pathsIn(node.left), ...pathsIn(node.right)]
    case 'call':
      return node.given.flatMap(pathsIn)
    default:
      return []
  }
}
