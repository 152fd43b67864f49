import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

// What people read comes from the messages of a room, in every language: no element and no command has a text of its own.

const source = new URL('../../src/', import.meta.url)

/** Two letters in a row are a word; single ones are keys, units and marks. */
const isWord = (text: string) => /\p{L}{2,}/u.test(text)

/** Attributes and properties that people read or hear. */
const spoken = new Set(['alt', 'aria-label', 'aria-description', 'label', 'placeholder', 'title', 'why'])

/** Functions whose texts are shown. */
const speaking = new Set(['notify', 'remember'])

/** Elements whose text is the same in all languages: keys, code. */
const sameEverywhere = new Set(['kbd', 'code', 'style'])

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateLiteral =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

const isComparison = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
  kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken

/** The literal texts that an expression may have as its value. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression)
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) return isComparison(node) ? [] : [...textsOf(node.left), ...textsOf(node.right)]
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  return isText(node) && ts.isStringLiteralLike(node) ? [node.text] : []
}

/** The texts that a piece of the source shows itself. */
function shownBy(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return isQuiet(node.parent) ? [] : [node.text.trim()]
  if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent))
    return isQuiet(node.parent) ? [] : textsOf(node.expression)
  if (ts.isJsxAttribute(node) && spoken.has(node.name.getText()) && node.initializer)
    return ts.isJsxExpression(node.initializer)
      ? node.initializer.expression
        ? textsOf(node.initializer.expression)
        : []
      : [node.initializer.getText()]
  if (ts.isPropertyAssignment(node) && spoken.has(node.name.getText())) return textsOf(node.initializer)
  if (ts.isCallExpression(node) && speaking.has(node.expression.getText())) return node.arguments.flatMap(textsOf)
  return []
}

const isQuiet = (parent: ts.Node) =>
  ts.isJsxElement(parent) && sameEverywhere.has(parent.openingElement.tagName.getText())

function literalsIn(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    // Catalogs are the place for texts.
    if (ts.isCallExpression(node) && node.expression.getText() === 'messages') return
    const words = shownBy(node).filter(isWord)
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    found.push(...words.map(each => `${name}:${line + 1} ${each}`))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('no text of the app is outside of its messages', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(each => !each.endsWith('.test.ts'))
  assert.ok(files.length > 200)
  assert.deepEqual(
    files.flatMap(each => literalsIn(each, readFileSync(new URL(each, source), 'utf8'))),
    [],
  )
})

test('a text in an element, in an attribute, in a choice, in a command and in a notice is found', () => {
  const found = literalsIn(
    'sample.tsx',
    `const a = <p title="One word">Two words {isOpen ? 'Three' : say.four} <kbd>Ctrl</kbd> {'·'} {count}</p>
    const command = { id: 'x', title: 'Four' }
    notify(\`Five \${count}\`)
    const say = messages({ en: { title: 'Six' } })`,
  )
  assert.deepEqual(
    found.map(each => each.replace(/^\S+ /, '')),
    ['"One word"', 'Two words', 'Three', 'Four', 'Five '],
  )
})
