import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordFault } from './password-rules.ts'

const ada = { email: 'ada.lovelace@example.com', name: 'Ada King' }

const refused: [RegExp, string[]][] = [
  [/at least 12/, ['short', '🦊'.repeat(11), 'é'.repeat(11)]],
  [/at most 200/, ['x'.repeat(201), '🦊'.repeat(201)]],
  [/single character/, ['aaaaaaaaaaaa', '🦊'.repeat(12), 'AaAaAaAaAaAa']],
  [
    /sequence/,
    ['abcdefghijkl', '123456789012', '210987654321', 'qwertyuiopasd', '1qaz2wsx3edc', 'aaabbbcccddd', 'ABCDEF654321'],
  ],
  [/repeat a text/, ['k3!fQk3!fQk3!fQ', 'x7Gq-x7Gq-x7']],
  [
    /e-mail address or the name/,
    ['Ada.Lovelace@Example.com', 'ada.lovelace1', 'Lovelace1815!!', 'AdaKing-AdaKing', '!!!Ada123456'],
  ],
  [
    /most common/,
    [
      'password1234',
      'P@ssw0rd2026!',
      'letmeinletmein',
      'Welcome-Welcome1',
      '12345sunshine',
      'administrator',
      'Gantry2026!!',
    ],
  ],
]

for (const [why, passwords] of refused) {
  test(`a new password is refused: ${why.source}`, () => {
    for (const password of passwords) assert.match(passwordFault(password, ada) ?? 'accepted', why, password)
  })
}

test('a new password of random characters or several words is accepted, also with digits', () => {
  for (const password of [
    'correct horse battery',
    'Xk2!fQ9_wLm4',
    'Zimt 1815 Ofen',
    'пароль из пяти слов',
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧',
    '839201748362',
  ])
    assert.equal(passwordFault(password, ada), undefined, password)
})
